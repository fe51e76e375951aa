package cli_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/VictoriaMetrics/metricsql"
	dto "github.com/prometheus/client_model/go"
)

// dashboard is what the test reads of a Grafana dashboard.
type dashboard struct {
	Templating struct {
		List []struct{ Name, Type, Query string }
	}
	Panels []struct {
		Title, Type string
		Targets     []struct{ Expr, LegendFormat string }
	}
}

// onTarget are the labels that Prometheus adds to all that it reads from an address.
var onTarget = []string{"instance", "job"}

func TestTheDashboardAsksForWhatARealRunHas(t *testing.T) {
	w, _, _ := held(t, fourFaults)
	has := w.exposition()
	w.signal()
	w.interrupted()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "grafana", "dogear.json"))
	if err != nil {
		t.Fatal(err)
	}
	var d dashboard
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	for _, p := range d.Panels {
		if len(p.Targets) == 0 {
			t.Errorf("%s shows nothing", p.Title)
		}
		for _, target := range p.Targets {
			for _, err := range has.check(target.Expr, target.LegendFormat, asked) {
				t.Errorf("%s: %s: %v", p.Title, target.Expr, err)
			}
		}
	}
	for _, v := range d.Templating.List {
		if v.Type == "query" {
			has.checkVariable(t, v.Query, asked)
		}
	}
	for name := range has {
		if strings.HasPrefix(name, "crawler_") && !asked[name] {
			t.Errorf("nothing on the dashboard shows %s", name)
		}
	}
}

// variables are what Grafana puts in, as a regular expression or a duration that fits anywhere.
var variables = strings.NewReplacer("$__rate_interval", "5m", "$instance", ".*", "$job_name", ".*")

// check parses an expression and compares each name and label in it with what there is.
func (e exposition) check(expr, legend string, asked map[string]bool) (wrong []error) {
	parsed, err := metricsql.Parse(variables.Replace(expr))
	if err != nil {
		return []error{err}
	}
	known := map[string]bool{} // labels of what is selected
	var grouped []string
	metricsql.VisitAll(parsed, func(n metricsql.Expr) {
		switch n := n.(type) {
		case *metricsql.MetricExpr:
			if err := e.selects(n, known, asked); err != nil {
				wrong = append(wrong, err)
			}
		case *metricsql.AggrFuncExpr:
			grouped = append(grouped, n.Modifier.Args...)
		case *metricsql.FuncExpr:
			if err := overTime(n); err != nil {
				wrong = append(wrong, err)
			}
		}
	})
	for _, m := range inLegend.FindAllStringSubmatch(legend, -1) {
		grouped = append(grouped, m[1])
	}
	for _, label := range grouped {
		if !known[label] {
			wrong = append(wrong, fmt.Errorf("there is no label %q in it", label))
		}
	}
	return wrong
}

var inLegend = regexp.MustCompile(`\{\{\s*(\w+)\s*\}\}`)

// overTime refuses what the parser takes and Prometheus does not: a rate of what has no [time].
func overTime(f *metricsql.FuncExpr) error {
	if f.Name != "rate" {
		return nil
	}
	if r, ok := f.Args[0].(*metricsql.RollupExpr); !ok || r.Window == nil {
		return fmt.Errorf("%s has no time", f.AppendString(nil))
	}
	return nil
}

// selects wants a selector to have a series, and notes the labels of its metric.
func (e exposition) selects(v *metricsql.MetricExpr, known, asked map[string]bool) error {
	name, filters := v.LabelFilterss[0][0].Value, v.LabelFilterss[0][1:]
	family := e[name]
	for _, part := range []string{"_bucket", "_sum", "_count"} {
		if of := e[strings.TrimSuffix(name, part)]; family == nil && of.GetType() == dto.MetricType_HISTOGRAM {
			family = of
			known["le"] = known["le"] || part == "_bucket"
		}
	}
	if family == nil {
		return fmt.Errorf("there is no metric %s", name)
	}
	asked[family.GetName()] = true
	for _, label := range onTarget {
		known[label] = true
	}
	fits := 0
	for _, m := range family.GetMetric() {
		values := map[string]string{}
		for _, l := range m.GetLabel() {
			values[l.GetName()] = l.GetValue()
			known[l.GetName()] = true
		}
		if !slices.ContainsFunc(filters, func(f metricsql.LabelFilter) bool { return !passes(f, values) }) {
			fits++
		}
	}
	if fits == 0 {
		return fmt.Errorf("no series fits %s; there is %v", v.AppendString(nil), family.GetMetric())
	}
	return nil
}

// passes tells whether a series with these labels is one of those that a filter lets through.
func passes(f metricsql.LabelFilter, values map[string]string) bool {
	value, has := values[f.Label]
	if slices.Contains(onTarget, f.Label) {
		return true
	}
	same := value == f.Value
	if f.IsRegexp {
		same = regexp.MustCompile("^(?:" + f.Value + ")$").MatchString(value)
	}
	return has && same != f.IsNegative
}

var labelValues = regexp.MustCompile(`^label_values\((.+), (\w+)\)$`)

func (e exposition) checkVariable(t *testing.T, query string, asked map[string]bool) {
	t.Helper()
	m := labelValues.FindStringSubmatch(query)
	if m == nil {
		t.Errorf("variable %s: not understood", query)
		return
	}
	for _, err := range e.check(m[1], "{{"+m[2]+"}}", asked) {
		t.Errorf("variable %s: %v", query, err)
	}
}

func TestTheCheckOfTheDashboardFindsWhatIsWrong(t *testing.T) {
	has := parseExposition(t, `
# TYPE crawler_tasks gauge
crawler_tasks{state="done"} 7
# TYPE crawler_requests_failed counter
crawler_requests_failed{kind="server"} 1
# TYPE crawler_commit_tasks histogram
crawler_commit_tasks_bucket{le="+Inf"} 3
crawler_commit_tasks_sum 7
crawler_commit_tasks_count 3
`)
	for expr, want := range map[string]string{
		`crawler_tasks{state="done"}`:                             "",
		`crawler_task`:                                            "there is no metric crawler_task",
		`crawler_tasks{state="inflight"}`:                         "no series fits crawler_tasks{",
		`crawler_tasks{status="done"}`:                            "no series fits crawler_tasks{",
		`sum by (status) (crawler_tasks)`:                         `there is no label "status"`,
		`rate(crawler_tasks_bucket[5m])`:                          "there is no metric crawler_tasks_bucket",
		`sum by (le) (rate(crawler_commit_tasks_bucket[5m]))`:     "",
		`sum by (le) (rate(crawler_commit_tasks_sum[5m]))`:        `there is no label "le"`,
		`rate(crawler_requests_failed)`:                           "has no time",
		`sum(rate(crawler_commit_tasks_sum[5m])`:                  `unexpected token ""`,
		`sum by (instance, kind) (crawler_requests_failed{}) > 1`: "",
	} {
		wrong := has.check(expr, "", map[string]bool{})
		if want == "" && len(wrong) > 0 || want != "" && (len(wrong) != 1 || !strings.Contains(wrong[0].Error(), want)) {
			t.Errorf("%s: %v, want %q (of %v)", expr, wrong, want, slices.Sorted(maps.Keys(has)))
		}
	}
}
