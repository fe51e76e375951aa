package job

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// errReader stands for a panic of the YAML library.
var errReader = errors.New("the YAML reader failed on it")

// readYAML reads the only document of a text; nil after a problem, which is reported.
func readYAML(r *report, text string, env func(string) (string, bool)) *node {
	file, err := parseYAML(r, mask(dashed(text)))
	if err != nil {
		syntaxProblem(r, err)
		return nil
	}
	if file == nil {
		return nil
	}
	var body ast.Node
	for _, doc := range file.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.CommentType {
			continue
		}
		if body != nil {
			line, col := position(doc.Start)
			r.add(line, col, "a second YAML document begins here; a job file is one")
			return nil
		}
		body = doc.Body
	}
	if body == nil {
		r.add(1, 1, "the file is empty; a job begins with start: and the URL to fetch")
		return nil
	}
	t := &tree{report: r, env: env, anchors: map[string]*node{}}
	root := t.node(body)
	if root.kind != dict {
		r.at(root, "not a job file: expected keys such as start: and records:, found %s", root.what())
		return nil
	}
	return root
}

// bareDash is a start's from: - without quotes, as everybody writes it. To YAML it begins a list where none can be.
var bareDash = regexp.MustCompile(`(?m)^([ ]*(?:- +)*from: +)-([ \t]*(?:[ \t]#.*)?)$`)

// dashed puts quotes around a bare dash: nothing that has a place in a message stands behind it.
func dashed(text string) string { return bareDash.ReplaceAllString(text, `$1"-"$2`) }

// parseYAML runs the YAML library, once it is sure that the text is harmless to it. A nil file without an error is
// a problem already reported.
func parseYAML(r *report, text string) (file *ast.File, err error) {
	defer func() {
		if p := recover(); p != nil {
			file, err = nil, fmt.Errorf("%w: %v", errReader, p)
		}
	}()
	tokens := lexer.Tokenize(text)
	if tk, why := tooDeep(tokens); tk != nil {
		line, col := position(tk)
		r.add(line, col, "%s", why)
		return nil, nil
	}
	// Duplicate keys are reported by us, so that they do not hide the other problems.
	return parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
}

// position returns where a token stands; 1:1 when the library does not say.
func position(tk *token.Token) (line, col int) {
	if tk == nil || tk.Position == nil {
		return 1, 1
	}
	return tk.Position.Line, tk.Position.Column
}

// syntaxProblem reports a text that is no YAML: with the hint of a known trap, else in the library's words.
func syntaxProblem(r *report, err error) {
	var at yaml.Error
	if !errors.As(err, &at) {
		r.add(1, 1, "not YAML: %v", err)
		return
	}
	line, col := position(at.GetToken())
	f := fault{line: line, col: col, message: unmask(at.GetMessage())}
	for _, trap := range traps {
		if trap(r, f) {
			return
		}
	}
	r.add(line, col, "not YAML: %s", f.message)
}
