package exitcodes

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"sort"
	"testing"
)

type vectors struct {
	Version   int `json:"version"`
	Decisions []struct {
		Name      string          `json:"name"`
		Table     *string         `json:"table"`
		JobTable  *string         `json:"jobTable"`
		Container string          `json:"container"`
		Retries   int             `json:"retries"`
		Pod       json.RawMessage `json:"pod"`
		Expect    struct {
			Cause     Cause   `json:"cause"`
			Verdict   Verdict `json:"verdict"`
			HandledAs Verdict `json:"handledAs"`
		} `json:"expect"`
	} `json:"decisions"`
	Tables []struct {
		Name      string `json:"name"`
		Value     string `json:"value"`
		Valid     bool   `json:"valid"`
		Canonical string `json:"canonical"`
	} `json:"tables"`
	Inputs []struct {
		Name     string             `json:"name"`
		Profile  string             `json:"profile"`
		Profiles map[string]Profile `json:"profiles"`
		Job      map[string]string  `json:"job"`
		Replica  map[string]string  `json:"replica"`
		Expect   struct {
			Job     string   `json:"job"`
			Replica string   `json:"replica"`
			Invalid []string `json:"invalid"`
		} `json:"expect"`
	} `json:"inputs"`
}

func readVectors(t *testing.T) vectors {
	t.Helper()
	data, err := os.ReadFile("../../conformance/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var all vectors
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	if all.Version != 1 || len(all.Decisions) == 0 || len(all.Tables) == 0 || len(all.Inputs) == 0 {
		t.Fatalf("vectors of version %d, not 1, or without decisions, tables or inputs", all.Version)
	}
	return all
}

// withTable is the pod with the annotation put beside those that it has.
func withTable(t *testing.T, pod []byte, table *string) []byte {
	t.Helper()
	if table == nil {
		return pod
	}
	var object map[string]interface{}
	if err := json.Unmarshal(pod, &object); err != nil {
		t.Fatal(err)
	}
	metadata := child(object, "metadata")
	child(metadata, "annotations")[TableAnnotation] = *table
	annotated, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return annotated
}

func child(object map[string]interface{}, key string) map[string]interface{} {
	if found, ok := object[key].(map[string]interface{}); ok {
		return found
	}
	made := map[string]interface{}{}
	object[key] = made
	return made
}

func TestDecisionVectors(t *testing.T) {
	for _, vector := range readVectors(t).Decisions {
		vector := vector
		t.Run(vector.Name, func(t *testing.T) {
			job := map[string]string{}
			if vector.JobTable != nil {
				job[TableAnnotation] = *vector.JobTable
			}
			pod := withTable(t, vector.Pod, vector.Table)
			decision, err := Decide(pod, job, vector.Container, vector.Retries)
			if err != nil {
				t.Fatal(err)
			}
			want := vector.Expect
			if decision.Cause != want.Cause || decision.Verdict != want.Verdict || decision.HandledAs != want.HandledAs {
				t.Errorf("is %+v, not %+v", decision, want)
			}
			if decision.Because == "" {
				t.Error("does not say why")
			}
		})
	}
}

func TestTableVectors(t *testing.T) {
	for _, vector := range readVectors(t).Tables {
		vector := vector
		t.Run(vector.Name, func(t *testing.T) {
			table, err := Decode(vector.Value)
			if (err == nil) != vector.Valid {
				t.Fatalf("valid should be %v, but the error is %v", vector.Valid, err)
			}
			if err != nil {
				return
			}
			canonical, err := Encode(table)
			if err != nil || canonical != vector.Canonical {
				t.Errorf("is encoded as\n%s (error %v), not as\n%s", canonical, err, vector.Canonical)
			}
			again, err := Decode(canonical)
			if err != nil || !reflect.DeepEqual(again, table) {
				t.Errorf("is %+v (error %v) once encoded and decoded, not %+v", again, err, table)
			}
		})
	}
}

func TestInputVectors(t *testing.T) {
	for _, vector := range readVectors(t).Inputs {
		vector := vector
		t.Run(vector.Name, func(t *testing.T) {
			profiles, err := NewProfiles(vector.Profiles)
			if err != nil {
				t.Fatal(err)
			}
			job, jobErr := ReadInputs(vector.Job, profiles)
			replica, replicaErr := ReadInputs(vector.Replica, profiles)
			if got := invalidKeys(jobErr, replicaErr); len(got) > 0 || len(vector.Expect.Invalid) > 0 {
				want := append([]string{}, vector.Expect.Invalid...)
				sort.Strings(want)
				if !reflect.DeepEqual(got, want) {
					t.Errorf("invalid are %q, not %q", got, want)
				}
				return
			}
			checkTable(t, profiles, vector.Profile, vector.Expect.Job, job)
			if vector.Expect.Replica != "" {
				checkTable(t, profiles, vector.Profile, vector.Expect.Replica, job, replica)
			}
		})
	}
}

func invalidKeys(errs ...error) []string {
	seen := map[string]bool{}
	keys := []string{}
	for _, err := range errs {
		var problems InputErrors
		errors.As(err, &problems)
		for _, problem := range problems {
			if !seen[problem.Key] {
				keys = append(keys, problem.Key)
			}
			seen[problem.Key] = true
		}
	}
	sort.Strings(keys)
	return keys
}

func checkTable(t *testing.T, profiles Profiles, fallback, want string, inputs ...Inputs) {
	t.Helper()
	table, err := MakeTable(profiles, fallback, inputs...)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Encode(table); err != nil || got != want {
		t.Errorf("the table is\n%s (error %v), not\n%s", got, err, want)
	}
}
