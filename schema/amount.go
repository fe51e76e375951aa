package schema

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/currency"
)

// currencyWords are the signs of currencies that are letters, in lower case, the longer first. Signs such as $ and ₹
// are known to Unicode (category Sc), codes such as EUR to ISO 4217.
var currencyWords = []string{
	"人民币", "人民幣", "руб.", "rmb", "руб", "lei", "rs.", "元", "圆", "圓", "円", "块", "원", "р.", "kr.",
	"kr", "zł", "kč", "ft", "rs", "fr.",
}

// readAmount reads a number as people write it and returns it in machine form: "￥ 4,234.35", "1 299,00 €", "−5",
// "1.2万元". decimal is the decimal sign, or "" when it is not known.
func readAmount(s, decimal string) (string, finding) {
	s = strings.TrimSpace(narrow(s))
	if strings.Trim(s, "-–—") == "" || strings.EqualFold(s, "n/a") {
		return "", empty
	}
	rest, negative := bareFront(s)
	rest, zeros := bareBack(rest)
	digits, found := separate(rest, decimal)
	if found != good {
		return "", found
	}
	if negative {
		digits = "-" + digits
	}
	if zeros > largestExponent {
		return "", unreadable
	}
	if zeros > 0 {
		digits += "e" + strconv.Itoa(zeros)
	}
	return digits, good
}

// narrow maps full-width characters, the many spaces, the minus sign and apostrophes to the ASCII ones, and drops
// marks that have no width. ASCII is returned as it is.
func narrow(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return strings.Map(narrowRune, s)
		}
	}
	return s
}

func narrowRune(r rune) rune {
	switch {
	case '！' <= r && r <= '～':
		return r - '！' + '!'
	case r == '−':
		return '-'
	case r == '’', r == '‘', r == 'ʼ', r == '′':
		return '\''
	case r >= utf8.RuneSelf && unicode.IsSpace(r), unicode.Is(unicode.Zs, r):
		return ' '
	case unicode.Is(unicode.Cf, r): // zero-width spaces, marks of direction, soft hyphens
		return -1
	}
	return r
}

// bareFront takes one sign and up to one currency off the front, in either order.
func bareFront(s string) (rest string, negative bool) {
	signed, priced := false, false
	for s != "" {
		if s[0] == '-' || s[0] == '+' {
			if signed {
				return s, negative
			}
			signed, negative = true, s[0] == '-'
			s = strings.TrimLeft(s[1:], " ")
			continue
		}
		n := leadingCurrency(s)
		if n == 0 || priced {
			return s, negative
		}
		priced = true
		s = strings.TrimLeft(s[n:], " ")
	}
	return s, negative
}

// bareBack takes a currency and the multipliers 万 and 亿 off the end; zeros is the power of ten they stand for.
func bareBack(s string) (rest string, zeros int) {
	s = strings.TrimRight(s[:len(s)-trailingCurrency(s)], " ")
	for {
		r, n := utf8.DecodeLastRuneInString(s)
		switch r {
		case '万', '萬':
			zeros += 4
		case '亿', '億':
			zeros += 8
		default:
			return s, zeros
		}
		s = strings.TrimRight(s[:len(s)-n], " ")
	}
}

// leadingCurrency returns the length of the currency that s starts with, such as "$", "US$", "EUR", "Rs.".
func leadingCurrency(s string) int {
	letters := len(s) - len(strings.TrimLeftFunc(s, isLatin))
	sign := s[letters:]
	if s[:letters] == strings.ToUpper(s[:letters]) {
		sign = strings.TrimLeft(sign, " ")
	}
	if r, n := utf8.DecodeRuneInString(sign); letters <= 3 && unicode.Is(unicode.Sc, r) {
		return len(s) - len(sign) + n // "$", "HK$", "CN¥", "US $"
	}
	if letters == 3 && isCurrencyCode(s[:3]) {
		return 3
	}
	return longestWord(s, hasPrefixFold, func(word string) bool { return letters <= len(word) })
}

// trailingCurrency is leadingCurrency for the end of s.
func trailingCurrency(s string) int {
	letters := len(s) - len(strings.TrimRightFunc(s, isLatin))
	if r, n := utf8.DecodeLastRuneInString(s); unicode.Is(unicode.Sc, r) {
		return n
	}
	if letters == 3 && isCurrencyCode(s[len(s)-3:]) {
		return 3
	}
	return longestWord(s, hasSuffixFold, func(word string) bool { return letters <= len(word) })
}

// longestWord finds the currency word at one end of s. complete refuses a word that is only a part of a longer one.
func longestWord(s string, at func(s, word string) bool, complete func(word string) bool) int {
	i := slices.IndexFunc(currencyWords, func(word string) bool { return at(s, word) && complete(word) })
	if i < 0 {
		return 0
	}
	return len(currencyWords[i])
}

func hasPrefixFold(s, word string) bool {
	return len(s) >= len(word) && strings.EqualFold(s[:len(word)], word)
}

func hasSuffixFold(s, word string) bool {
	return len(s) >= len(word) && strings.EqualFold(s[len(s)-len(word):], word)
}

func isLatin(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// isCurrencyCode wants capitals: "5 PEN" is Peruvian, "5 pen" is not money.
func isCurrencyCode(s string) bool {
	if s != strings.ToUpper(s) {
		return false
	}
	_, err := currency.ParseISO(s)
	return err == nil
}
