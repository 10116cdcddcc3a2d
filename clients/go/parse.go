package exitcodes

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

const blanks = " \t"

// ParseCodes reads a list of exit codes: "42, 100-110, SIGUSR2, EX_TEMPFAIL".
//
// Items are separated by commas, with blanks allowed around them. An item is a decimal code from 1 to
// 255 without sign or leading zeros, a range of two such codes upwards without blanks, a signal name
// of Linux x86-64 (not a real-time one) or a name of sysexits.h. One code twice is fine; an empty
// list or item is not.
func ParseCodes(list string) (Codes, error) {
	var codes Codes
	if strings.Trim(list, blanks) == "" {
		return codes, errors.New("the list is empty: write exit codes separated by commas, such as 42, 100-110, SIGUSR2")
	}
	for i, item := range strings.Split(list, ",") {
		item = strings.Trim(item, blanks)
		if item == "" {
			return Codes{}, fmt.Errorf("item %d of the list is empty: take out the comma too many", i+1)
		}
		read, err := parseItem(item)
		if err != nil {
			return Codes{}, err
		}
		codes = codes.Union(read)
	}
	return codes, nil
}

// ParseMaxRetries reads a value of MaxRetriesAnnotation: 0 to MaxMaxRetries, decimal, without sign or
// leading zeros.
func ParseMaxRetries(text string) (int32, error) {
	value, ok := parseDigits(text, 0, MaxMaxRetries)
	if !ok {
		return 0, fmt.Errorf("%.40q is no number of retries: write a number from 0 to %d", text, MaxMaxRetries)
	}
	return int32(value), nil
}

func parseItem(item string) (Codes, error) {
	if code, ok := parseDigits(item, MinCode, MaxCode); ok {
		return codesOf(code), nil
	}
	if code, ok := codeOfName[item]; ok {
		return codesOf(code), nil
	}
	if first, last, isRange := strings.Cut(item, "-"); isRange {
		low, lowOK := parseDigits(first, MinCode, MaxCode)
		high, highOK := parseDigits(last, MinCode, MaxCode)
		if lowOK && highOK && low <= high {
			return between(low, high), nil
		}
	}
	return Codes{}, fmt.Errorf("%.40q is no exit code: write a number from 1 to 255, a range such as 100-110, "+
		"a signal such as SIGTERM or a name of sysexits.h such as EX_TEMPFAIL", item)
}

// parseDigits takes what strconv writes only: no sign, no leading zeros.
func parseDigits(text string, min, max int) (int, bool) {
	value, err := strconv.Atoi(text)
	return value, err == nil && strconv.Itoa(value) == text && value >= min && value <= max
}
