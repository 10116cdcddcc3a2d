package exitcodes

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

func TestBadDefinitionsMakeNoProfiles(t *testing.T) {
	for _, c := range []struct{ name, definitions, message string }{
		{"built in", `{"kubeflow":{}}`, `profile "kubeflow" is built in and cannot be redefined`},
		{"bad name", `{"My":{}}`, `"My" is no profile name`},
		{"long name", `{"` + strings.Repeat("a", 64) + `":{}}`, `is no profile name`},
		{"unknown base", `{"a":{"extends":"b"}}`, `profile "a" extends "b", which does not exist`},
		{"itself", `{"a":{"extends":"a"}}`, `profile "a" extends itself, perhaps through others`},
		{"a circle", `{"a":{"extends":"b"},"b":{"extends":"a"}}`, `extends itself, perhaps through others`},
		{"two sides", `{"a":{"retryable":"7","remove":[7]}}`, `profile "a": 7 is in two of retryable, permanent and remove: keep it in one`},
		{"bad verdict", `{"a":{"undefined":"undefined"}}`, `profile "a": undefined is "undefined": use Retryable or Permanent`},
		{"bad item", `{"a":{"retryable":[256]}}`, `"256" is no exit code`},
		{"no list", `{"a":{"retryable":{}}}`, `a list of codes must be a string or an array`},
		{"empty list", `{"a":{"retryable":null}}`, `the list is empty`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var definitions map[string]Profile
			err := json.Unmarshal([]byte(c.definitions), &definitions)
			if err == nil {
				_, err = NewProfiles(definitions)
			}
			if err == nil || !strings.Contains(err.Error(), c.message) {
				t.Errorf("the error is %v, not %s", err, c.message)
			}
		})
	}
}

func TestProfilesExtendEachOtherInAChain(t *testing.T) {
	const length = 10000
	definitions := map[string]Profile{}
	for i := 0; i < length; i++ {
		definition := Profile{}
		if i > 0 {
			definition.Extends = "p" + strconv.Itoa(i-1)
		}
		definition.Retryable.add(i%MaxCode + MinCode)
		definitions["p"+strconv.Itoa(i)] = definition
	}
	profiles, err := NewProfiles(definitions)
	if err != nil {
		t.Fatal(err)
	}
	last, found := profiles.Find("p" + strconv.Itoa(length-1))
	if !found || last.Retryable.Len() != MaxCode || last.Permanent.Len() != 0 {
		t.Errorf("got %+v", last)
	}
}

func TestAProfileLeavesThatWhichItExtendsAsItIs(t *testing.T) {
	retryable := Retryable
	profiles, err := NewProfiles(map[string]Profile{"own": {Reasons: map[string]*Verdict{oomKilled: nil, "Evicted": &retryable}}})
	if err != nil {
		t.Fatal(err)
	}
	base, _ := profiles.Find("kubeflow")
	own, _ := profiles.Find("own")
	if len(base.Reasons) != 1 || base.Reasons[oomKilled] != Permanent {
		t.Errorf("kubeflow has the reasons %v", base.Reasons)
	}
	if len(own.Reasons) != 1 || own.Reasons["Evicted"] != Retryable {
		t.Errorf("own has the reasons %v", own.Reasons)
	}
}
