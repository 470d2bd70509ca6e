package grafana

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"
)

// update writes the dashboards that are described here: go test -run
// TestDashboardsAreAsDescribed . -update
var update = flag.Bool("update", false, "write the dashboards' JSON anew")

// board describes a dashboard: rows of charts of time.
type board struct {
	file, uid, title, about string
	rows                    []row
}

// row is a titled row; its charts share its width, four side by side at most.
type row struct {
	title  string
	charts []chart
}

// chart draws queries over time.
type chart struct {
	title, unit, about string
	queries            []line
	stacked            bool
}

// line is a query, in which JOB stands for the job asked for, and its legend.
type line struct{ expr, legend string }

// boards are the dashboards that are made from their descriptions.
func boards() []board { return []board{stagesBoard(), modelsBoard()} }

type object = map[string]any

// json returns the dashboard as Grafana reads it.
func (b board) json(t *testing.T) []byte {
	t.Helper()
	var panels []object
	y, id := 0, 0
	place := func(p object, x, w, h int) {
		id++
		p["id"], p["gridPos"] = id, object{"x": x, "y": y, "w": w, "h": h}
		panels = append(panels, p)
	}
	for _, r := range b.rows {
		place(object{"type": "row", "title": r.title, "collapsed": false, "panels": []any{}}, 0, 24, 1)
		y++
		for i := 0; i < len(r.charts); i += 4 {
			side := r.charts[i:min(i+4, len(r.charts))]
			for k, c := range side {
				place(c.panel(), k*24/len(side), 24/len(side), 8)
			}
			y += 8
		}
	}
	text, err := json.MarshalIndent(object{
		"uid": b.uid, "title": b.title, "description": b.about, "tags": []string{"hopstream"},
		"schemaVersion": 41, "version": 1, "editable": true, "graphTooltip": 1, "refresh": "10s",
		"time": object{"from": "now-30m", "to": "now"}, "timezone": "browser",
		"annotations": object{"list": []any{}}, "links": []any{object{"type": "dashboards", "title": "hopstream", "tags": []string{"hopstream"}, "asDropdown": false, "includeVars": true, "keepTime": true}},
		"templating": object{"list": []any{
			object{"name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus", "current": object{}, "refresh": 1},
			object{"name": "job", "label": "Job", "type": "query", "datasource": prometheusSource, "refresh": 2, "sort": 1,
				"definition": jobs, "query": object{"query": jobs, "refId": "V", "qryType": 1},
				"multi": true, "includeAll": true, "allValue": ".*", "current": object{"text": []string{"All"}, "value": []string{"$__all"}, "selected": true}},
		}},
		"panels": panels,
	}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	// As a person writes them: Go escapes < and > for HTML.
	return append(bytes.NewBuffer(nil).Bytes(), append(bytes.ReplaceAll(bytes.ReplaceAll(text, []byte(`\u003e`), []byte(">")), []byte(`\u003c`), []byte("<")), '\n')...)
}

const jobs = "label_values(hopstream_open_questions, job)"

var prometheusSource = object{"type": "prometheus", "uid": "${datasource}"}

// panel returns the chart as Grafana reads it.
func (c chart) panel() object {
	var targets []object
	for i, q := range c.queries {
		targets = append(targets, object{
			"refId": string(rune('A' + i)), "datasource": prometheusSource, "editorMode": "code", "range": true,
			"expr": strings.ReplaceAll(q.expr, "JOB", `job=~"$job"`), "legendFormat": q.legend,
		})
	}
	custom := object{"drawStyle": "line", "lineWidth": 1, "fillOpacity": 10, "showPoints": "never", "spanNulls": false}
	if c.stacked {
		custom["fillOpacity"], custom["stacking"] = 25, object{"mode": "normal", "group": "A"}
	}
	return object{
		"type": "timeseries", "title": c.title, "description": c.about, "datasource": prometheusSource, "targets": targets,
		"fieldConfig": object{"overrides": []any{}, "defaults": object{"unit": c.unit, "min": 0, "color": object{"mode": "palette-classic"}, "custom": custom}},
		"options": object{
			"legend":  object{"displayMode": "table", "placement": "bottom", "showLegend": true, "calcs": []string{"mean", "max"}},
			"tooltip": object{"mode": "multi", "sort": "desc"},
		},
	}
}

// TestDashboardsAreAsDescribed holds that the files are what the descriptions say.
func TestDashboardsAreAsDescribed(t *testing.T) {
	t.Parallel()
	for _, b := range boards() {
		want := b.json(t)
		if *update {
			if err := os.WriteFile(b.file, want, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if got, err := os.ReadFile(b.file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not as described (%v): change the description and run go test -run %s . -update", b.file, err, t.Name())
		}
	}
}
