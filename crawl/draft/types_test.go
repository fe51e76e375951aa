package draft

import (
	"testing"

	"dogear/schema"
)

func TestATypeIsGuessedOnlyWhenEveryExampleHasIt(t *testing.T) {
	for _, c := range []struct {
		name, field string
		texts       []string
		want, sign  string
	}{
		{"whole numbers", "stock", []string{"1", "20", "300"}, "int", ""},
		{"a price is never whole", "price", []string{"10", "20"}, "decimal(10,2)", ""},
		{"nor is money", "x", []string{"$10", "$20"}, "decimal(10,2)", ""},
		{"one digit everywhere", "score", []string{"8.1", "9.0", "7.5"}, "decimal(10,1)", ""},
		{"digits of several lengths", "score", []string{"8.1", "9", "7.25", "1.1234"}, "decimal(10,6)", ""},
		{"large ones have room", "x", []string{"12345678901.5", "1.25"}, "decimal(15,2)", ""},
		{"1.234 may be either", "x", []string{"1.234", "2.345"}, "text", ""},
		{"a comma that can only be a decimal sign", "x", []string{"1.299,00 €", "1.234"}, "decimal(10,2)", ","},
		{"a code", "sku", []string{"007", "123"}, "text", ""},
		{"too long for a number", "x", []string{"12345678901234567890"}, "text", ""},
		{"one is no number", "x", []string{"1", "2", "n/a"}, "text", ""},
		{"per cent", "x", []string{"10%"}, "text", ""},
		{"dates", "x", []string{"2026-02-04", "4 February 2026"}, "date", ""},
		{"moments", "x", []string{"2026-02-04", "2026-02-04 10:00"}, "datetime", ""},
		{"a date that may be either", "x", []string{"04/02/2026"}, "text", ""},
		{"titles that happen to be years", "title", []string{"1984", "2001"}, "text", ""},
		{"万", "x", []string{"1.2万", "800"}, "decimal(10,2)", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var raws []schema.Raw
			for _, text := range c.texts {
				raws = append(raws, schema.Raw{Text: text, Found: true})
			}
			typ, sign := guessText(c.field, raws)
			if typ.String() != c.want || sign != c.sign {
				t.Errorf("%q are %s %q, want %s %q", c.texts, typ, sign, c.want, c.sign)
			}
			if !fits(typ, sign, raws) {
				t.Errorf("%q can't all be read as %s", c.texts, typ)
			}
		})
	}
}

func TestClassesThatAToolMadeAreNoWords(t *testing.T) {
	for class, want := range map[string]int{
		"item": good, "product-card": good, "product_pod": good, "card__title": good, "h2": good, "price": good,
		"theNext":  good,
		"col-md-4": weak, "mt-2": weak, "text-lg": weak, "flex": weak, "btn": weak,
		"css-1q2w3e": useless, "sc-bdVaJa": useless, "kXyZ12a": useless, "item-1234": useless, "_3xK9d": useless, "odd": useless,
		"first": useless, "a:b": useless, "x": useless, "": useless, "价格": useless, "bcdfgh": useless,
	} {
		if got := rank(class); got != want {
			t.Errorf("%q ranks %d, want %d", class, got, want)
		}
	}
}

func TestNamesAreColumns(t *testing.T) {
	for word, want := range map[string]string{
		"price": "price", "productId": "product_id", "in stock": "in_stock", "X-Ray": "x_ray", "HTMLUrl": "htmlurl", "价格": "",
		"1st": "", "__a__": "a", "a--b": "a_b", "préf": "pr_f",
	} {
		if got := snake(word); got != want {
			t.Errorf("%q makes %q, want %q", word, got, want)
		}
	}
	n := &namer{taken: map[string]bool{}}
	for i, want := range []string{"no_field", "no_field_2", "text_1", "text_2"} {
		if got := n.name([]string{"no", "No", "价格", ""}[i]); got != want {
			t.Errorf("name %d is %q, want %q", i, got, want)
		}
	}
}
