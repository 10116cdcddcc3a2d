package exitcodes

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// What Kubernetes allows all annotations of an object together.
const maxTableBytes = 262144

// Decode reads a value of TableAnnotation strictly: a JSON object of version 1 with every key of the
// contract, none twice and none besides, codes being integers from 1 to 255, on one side only. Key
// order and white space are free. Whatever cannot be read is to be treated as if it were not there,
// as ReadTable does.
func Decode(value string) (Table, error) {
	if len(value) > maxTableBytes {
		return Table{}, fmt.Errorf("the table has %d bytes, more than the %d that an object's annotations may have",
			len(value), maxTableBytes)
	}
	// encoding/json would put U+FFFD in the place of either.
	if !utf8.ValidString(value) || hasLoneSurrogate(value) {
		return Table{}, errors.New("the table is not JSON: a string is no valid Unicode")
	}
	if !json.Valid([]byte(value)) {
		return Table{}, errors.New("the table is not JSON")
	}
	reader := tableReader{json: json.NewDecoder(strings.NewReader(value)), seen: map[string]bool{}}
	reader.json.UseNumber()
	if err := reader.readTable(); err != nil {
		if version := laterVersion(value); version != "" {
			err = fmt.Errorf("the table is of version %s, later than the one that is known here, %d", version, tableVersion)
		}
		return Table{}, err
	}
	return reader.table, nil
}

// ReadTable gives the table that holds for a pod: its own, else its job's. Either map may be nil. ok
// is false if neither has one that can be read (absent, malformed, of a later version).
func ReadTable(podAnnotations, jobAnnotations map[string]string) (table Table, ok bool) {
	for _, annotations := range []map[string]string{podAnnotations, jobAnnotations} {
		if value, found := annotations[TableAnnotation]; found {
			if table, err := Decode(value); err == nil {
				return table, true
			}
		}
	}
	return Table{}, false
}

// tableReader walks the tokens of one table, which is known to be JSON; encoding/json alone would
// let duplicate keys, keys in another case and fractions such as 1.0 pass.
type tableReader struct {
	json  *json.Decoder
	table Table
	seen  map[string]bool
}

func (r *tableReader) readTable() error {
	if err := r.expectDelim('{', "the table", "a JSON object"); err != nil {
		return err
	}
	for r.json.More() {
		key, err := r.next()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		if r.seen[name] {
			return fmt.Errorf("the key %q stands there twice: keep one", name)
		}
		r.seen[name] = true
		if err := r.readField(name); err != nil {
			return err
		}
	}
	for _, name := range []string{
		"version", "profile", "permanent", "retryable", "undefined", "reasons", "disruption", "noExitCode",
	} {
		if !r.seen[name] {
			return fmt.Errorf("a key is missing: %q", name)
		}
	}
	return nil
}

func (r *tableReader) readField(name string) (err error) {
	switch name {
	case "version":
		_, err = r.readInteger("version", tableVersion, tableVersion)
	case "profile":
		r.table.Profile, err = r.readString("profile", "the name of a profile")
	case "permanent":
		r.table.Permanent, err = r.readCodes("permanent", r.table.Retryable)
	case "retryable":
		r.table.Retryable, err = r.readCodes("retryable", r.table.Permanent)
	case "undefined":
		r.table.Undefined, err = r.readVerdict("undefined")
	case "reasons":
		r.table.Reasons, err = r.readReasons()
	case "disruption":
		r.table.Disruption, err = r.readVerdict("disruption")
	case "noExitCode":
		r.table.NoExitCode, err = r.readVerdict("noExitCode")
	case "maxRetries":
		var limit int32
		limit, err = r.readInteger("maxRetries", 0, MaxMaxRetries)
		r.table.MaxRetries = &limit
	default:
		err = fmt.Errorf("unknown key %q: take it out", name)
	}
	return err
}

func (r *tableReader) next() (json.Token, error) {
	token, err := r.json.Token()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return token, err
}

func (r *tableReader) expectDelim(wanted json.Delim, where, expected string) error {
	token, err := r.next()
	if err == nil && token != wanted {
		err = unexpected(where, token, expected)
	}
	return err
}

func (r *tableReader) readString(where, expected string) (string, error) {
	token, err := r.next()
	if err != nil {
		return "", err
	}
	text, ok := token.(string)
	if !ok {
		return "", unexpected(where, token, expected)
	}
	return text, nil
}

func (r *tableReader) readVerdict(where string) (Verdict, error) {
	const expected = `"retryable" or "permanent"`
	text, err := r.readString(where, expected)
	if err == nil && !Verdict(text).actionable() {
		err = unexpected(where, text, expected)
	}
	return Verdict(text), err
}

func (r *tableReader) readInteger(where string, min, max int32) (int32, error) {
	token, err := r.next()
	if err != nil {
		return 0, err
	}
	return integer(where, token, min, max)
}

func integer(where string, token json.Token, min, max int32) (int32, error) {
	expected := fmt.Sprintf("an integer from %d to %d", min, max)
	if min == max {
		expected = strconv.Itoa(int(min))
	}
	number, ok := token.(json.Number)
	// ParseInt reads "-0" as well, which no writer of integers gives.
	value, err := strconv.ParseInt(string(number), 10, 32)
	if !ok || err != nil || number[0] == '-' || value < int64(min) || value > int64(max) {
		return 0, unexpected(where, token, expected)
	}
	return int32(value), nil
}

func (r *tableReader) readCodes(name string, other Codes) (Codes, error) {
	var codes Codes
	if err := r.expectDelim('[', name, "an array of exit codes"); err != nil {
		return codes, err
	}
	for i := 0; r.json.More(); i++ {
		code, err := r.readInteger(fmt.Sprintf("%s[%d]", name, i), MinCode, MaxCode)
		switch {
		case err != nil:
			return codes, err
		case codes.Contains(int64(code)):
			return codes, fmt.Errorf("%s has %d twice: keep one", name, code)
		case other.Contains(int64(code)):
			return codes, fmt.Errorf("permanent and retryable both have %d: keep it in one", code)
		}
		codes.add(int(code))
	}
	_, err := r.next()
	return codes, err
}

func (r *tableReader) readReasons() (map[string]Verdict, error) {
	reasons := map[string]Verdict{}
	if err := r.expectDelim('{', "reasons", "an object of reasons"); err != nil {
		return nil, err
	}
	for r.json.More() {
		reason, err := r.readString("reasons", "an object of reasons")
		if err != nil {
			return nil, err
		}
		if _, twice := reasons[reason]; twice {
			return nil, fmt.Errorf("reasons has %q twice: keep one", reason)
		}
		if reasons[reason], err = r.readVerdict(fmt.Sprintf("reason %q", reason)); err != nil {
			return nil, err
		}
	}
	_, err := r.next()
	return reasons, err
}

// unexpected is the error about token, which stands where it may not.
func unexpected(where string, token json.Token, expected string) error {
	what := fmt.Sprint(token)
	switch token := token.(type) {
	case nil:
		what = "null"
	case string:
		what = fmt.Sprintf("the string %.40q", token)
	case json.Number:
		what = fmt.Sprintf("%.24s", string(token))
	case json.Delim:
		what = map[json.Delim]string{'{': "an object", '[': "an array"}[token]
	}
	return fmt.Errorf("%s is %s: write %s", where, what, expected)
}

// hasLoneSurrogate tells whether one half of a UTF-16 pair is escaped without the other.
func hasLoneSurrogate(text string) bool {
	const first, low, end = 0xD800, 0xDC00, 0xE000
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		unit := escapedUnit(text[i:])
		switch {
		case unit >= low && unit < end:
			return true
		case unit >= first && unit < low:
			if next := escapedUnit(text[i+6:]); next < low || next >= end {
				return true
			}
			i += 11
		default:
			i++ // the character that is escaped, which may be another backslash
		}
	}
	return false
}

// escapedUnit is the number of a \uXXXX at the front of text; 0 if there is none.
func escapedUnit(text string) uint64 {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0
	}
	unit, err := strconv.ParseUint(text[2:6], 16, 16)
	if err != nil {
		return 0
	}
	return unit
}

// laterVersion is the version of a table that is JSON but of a later version; empty for any other.
func laterVersion(value string) string {
	var keys map[string]json.RawMessage
	if json.Unmarshal([]byte(value), &keys) != nil {
		return ""
	}
	text := string(keys["version"])
	if version, err := strconv.ParseUint(text, 10, 64); err != nil || version <= tableVersion {
		return ""
	}
	return text
}
