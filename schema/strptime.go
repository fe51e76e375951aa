package schema

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/ncruces/go-strftime"
)

// directives are those of strptime that can be read (https://docs.python.org/3/library/datetime.html#format-codes), and
// a few of strftime's that people write.
var directives = strings.Fields("%Y %y %m %-m %B %b %h %d %-d %e %j %H %-H %I %-I %p %P %M %-M %S %-S %f " +
	"%z %:z %Z %A %a %F %D %x %T %X %R %r %c %%")

var directive = regexp.MustCompile(`(?s)%[-:]?.?`)

// fraction is where %f can be read: behind its second and a point, with no number after it.
var fraction = regexp.MustCompile(`%(?:-?S|T|X)[.,]%f(?:$|[^%0-9]|%[pPzZ:aAbBh])`)

// wideLine stands for _ in what strptime's notation becomes: for package time "_2" is a day.
const wideLine = "＿"

// strptime turns a layout of strptime into those of package time: %z takes +08:00 as well as +0800 and Z, %p takes pm
// as well as PM, %f up to nine digits. Numbers may lack their leading zero where a sign parts them.
func strptime(text string) ([]string, error) {
	for _, d := range directive.FindAllString(text, -1) {
		if !slices.Contains(directives, d) {
			return nil, fmt.Errorf("there is no directive %q; there are %s", d, strings.Join(directives, " "))
		}
	}
	plain := strings.ReplaceAll(text, "%%", "")
	if strings.Count(plain, "%f") != len(fraction.FindAllString(plain, -1)) {
		return nil, errFraction
	}
	texts := []string{strings.ReplaceAll(text, "_", wideLine)}
	for _, other := range [][2]string{{"%z", "%:z"}, {"%p", "%P"}} {
		swap := strings.NewReplacer("%%", "%%", other[0], other[1])
		for _, text := range texts {
			if swapped := swap.Replace(text); swapped != text {
				texts = append(texts, swapped)
			}
		}
	}
	var forms []string
	for _, text := range texts {
		form, err := goForm(text)
		if err != nil {
			return nil, err
		}
		forms = append(forms, strings.NewReplacer(".000000", ".999999", ",000000", ",999999").Replace(form))
	}
	return forms, nil
}

// goForm asks the library what it would hand to time.Parse: that is named by the error about an empty text.
func goForm(text string) (string, error) {
	_, err := strftime.Parse(text, "")
	if err == nil {
		return "", nil // nothing but spaces
	}
	var parsed *time.ParseError
	if !errors.As(err, &parsed) {
		return "", fmt.Errorf("%w: digits, and words such as Jan, Mon and PM, can't stand in it beside directives; "+
			"take them off the text with match or remove", err)
	}
	if !runsTogether(parsed.Layout) {
		return parsed.Layout, nil
	}
	form, err := strftime.Layout(text) // the one with leading zeros
	if err != nil {
		return "", fmt.Errorf("numbers without a sign between them need all their digits: %w", err)
	}
	return form, nil
}
