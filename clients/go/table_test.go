package exitcodes

import (
	"reflect"
	"strings"
	"testing"
)

const kubeflow = `{"version":1,"profile":"kubeflow","permanent":[1,2,126,127,128,139],` +
	`"retryable":[130,137,138,143],"undefined":"permanent","reasons":{"OOMKilled":"permanent"},` +
	`"disruption":"retryable","noExitCode":"retryable"}`

func edited(old, new string) string {
	return strings.Replace(kubeflow, old, new, 1)
}

func TestDefaultTableHasTheBytesOfTheContract(t *testing.T) {
	if got, err := Encode(DefaultTable()); err != nil || got != kubeflow {
		t.Errorf("got %s (error %v)", got, err)
	}
	if got, err := Decode(kubeflow); err != nil || !reflect.DeepEqual(got, DefaultTable()) {
		t.Errorf("got %+v (error %v)", got, err)
	}
}

func TestDecodeSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ name, value, message string }{
		{"nothing", ``, `the table is not JSON`},
		{"text after it", kubeflow + `x`, `the table is not JSON`},
		{"byte order mark", "\uFEFF" + kubeflow, `the table is not JSON`},
		{"zero byte", kubeflow + "\x00", `the table is not JSON`},
		{"not UTF-8", edited(`kubeflow`, "\xff"), `the table is not JSON: a string is no valid Unicode`},
		{"high surrogate alone", edited(`kubeflow`, `\ud83dx`), `the table is not JSON: a string is no valid Unicode`},
		{"low surrogate alone", edited(`kubeflow`, `\ude00`), `the table is not JSON: a string is no valid Unicode`},
		{"array", `[]`, `the table is an array: write a JSON object`},
		{"later version", edited(`"version":1`, `"version":2`), `the table is of version 2, later than the one that is known here, 1`},
		{"version 0", edited(`"version":1`, `"version":0`), `version is 0: write 1`},
		{"version as a string", edited(`"version":1`, `"version":"1"`), `version is the string "1": write 1`},
		{"other case", edited(`"undefined"`, `"Undefined"`), `unknown key "Undefined": take it out`},
		{"missing", edited(`"version":1,`, ``), `a key is missing: "version"`},
		{"twice", edited(`"profile"`, `"version":1,"profile"`), `the key "version" stands there twice: keep one`},
		{"twice, one of them escaped", edited(`"profile"`, `"versio\u006e":1,"profile"`), `the key "version" stands there twice: keep one`},
		{"code 0", edited(`[1,`, `[0,`), `permanent[0] is 0: write an integer from 1 to 255`},
		{"code 256", edited(`[1,2`, `[1,256`), `permanent[1] is 256: write an integer from 1 to 255`},
		{"fraction", edited(`[1,`, `[1.0,`), `permanent[0] is 1.0: write an integer from 1 to 255`},
		{"exponent", edited(`[1,`, `[1e0,`), `permanent[0] is 1e0: write an integer from 1 to 255`},
		{"huge", edited(`[1,`, `[1`+strings.Repeat("0", 400)+`,`), `permanent[0] is 100000000000000000000000: write an integer from 1 to 255`},
		{"code as a string", edited(`[1,`, `["1",`), `permanent[0] is the string "1": write an integer from 1 to 255`},
		{"code null", edited(`[1,`, `[null,`), `permanent[0] is null: write an integer from 1 to 255`},
		{"code twice", edited(`[1,`, `[2,`), `permanent has 2 twice: keep one`},
		{"both sides", edited(`[130,`, `[139,`), `permanent and retryable both have 139: keep it in one`},
		{"codes as an object", edited(`[130,137,138,143]`, `{}`), `retryable is an object: write an array of exit codes`},
		{"verdict", edited(`"undefined":"permanent"`, `"undefined":"undefined"`), `undefined is the string "undefined": write "retryable" or "permanent"`},
		{"verdict true", edited(`"disruption":"retryable"`, `"disruption":true`), `disruption is true: write "retryable" or "permanent"`},
		{"reason", edited(`"OOMKilled":"permanent"`, `"OOMKilled":null`), `reason "OOMKilled" is null: write "retryable" or "permanent"`},
		{"reason twice", edited(`{"OOM`, `{"OOMKilled":"permanent","OOM`), `reasons has "OOMKilled" twice: keep one`},
		{"negative zero", edited(`"noExit`, `"maxRetries":-0,"noExit`), `maxRetries is -0: write an integer from 0 to 999999999`},
		{"limit", edited(`"noExit`, `"maxRetries":1000000000,"noExit`), `maxRetries is 1000000000: write an integer from 0 to 999999999`},
		{"deep", strings.Repeat(`[`, 200000), `the table is not JSON`},
		{"long", strings.Repeat(` `, 262145), `the table has 262145 bytes, more than the 262144 that an object's annotations may have`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Decode(c.value); err == nil || err.Error() != c.message {
				t.Errorf("the error is %v, not %s", err, c.message)
			}
		})
	}
}

func TestStringsAreEscapedAsLittleAsPossible(t *testing.T) {
	for profile, want := range map[string]string{
		"<a&b>":             `"<a&b>"`,
		"\b\f\n\r\t\x01":    `"\b\f\n\r\t\u0001"`,
		`"\/`:               `"\"\\/"`,
		"\u2028é\U0001F600": "\"\u2028é\U0001F600\"",
	} {
		table := DefaultTable()
		table.Profile = profile
		value, err := Encode(table)
		if err != nil || !strings.HasPrefix(value, `{"version":1,"profile":`+want+`,`) {
			t.Errorf("%q is encoded as %s (error %v)", profile, value, err)
		}
		if again, err := Decode(value); err != nil || again.Profile != profile {
			t.Errorf("%q comes back as %q (error %v)", profile, again.Profile, err)
		}
	}
	if table, err := Decode(edited(`kubeflow`, `\\ud800 \ud83d\ude00`)); err != nil || table.Profile != `\ud800 `+"\U0001F600" {
		t.Errorf("got %q (error %v)", table.Profile, err)
	}
}

func TestEncodeRefusesWhatDecodeWould(t *testing.T) {
	negative := int32(-1)
	for message, change := range map[string]func(*Table){
		`permanent and retryable both have 1: keep it in one`:     func(t *Table) { t.Retryable = t.Permanent },
		`undefined is "undefined": use Retryable or Permanent`:    func(t *Table) { t.Undefined = Undefined },
		`disruption is "": use Retryable or Permanent`:            func(t *Table) { t.Disruption = "" },
		`noExitCode is "never": use Retryable or Permanent`:       func(t *Table) { t.NoExitCode = "never" },
		`reason "Evicted" is "maybe": use Retryable or Permanent`: func(t *Table) { t.Reasons["Evicted"] = "maybe" },
		`maxRetries is -1: use 0 to 999999999`:                    func(t *Table) { t.MaxRetries = &negative },
	} {
		table := DefaultTable()
		change(&table)
		if value, err := Encode(table); err == nil || err.Error() != message {
			t.Errorf("got %q and error %v, not %s", value, err, message)
		}
	}
}

func TestOnlyTheCodesOfTheDefaultTableAreRetried(t *testing.T) {
	retried := map[int32]bool{130: true, 137: true, 138: true, 143: true}
	for code := int32(-300); code <= 70000; code++ {
		if IsRetryableExitCode(code) != retried[code] {
			t.Errorf("%d", code)
		}
	}
}

func TestCodesKeepTheirRange(t *testing.T) {
	for _, code := range []int{0, 256, -1} {
		if _, err := NewCodes(1, code); err == nil {
			t.Errorf("%d is taken", code)
		}
	}
	set, err := NewCodes(255, 1, 64)
	if err != nil || !reflect.DeepEqual(set.Values(), []int{1, 64, 255}) || set.Len() != 3 {
		t.Errorf("got %v (error %v)", set.Values(), err)
	}
	for _, code := range []int64{0, 256, -1, 1 << 40, 2} {
		if set.Contains(code) {
			t.Errorf("%d is in", code)
		}
	}
}
