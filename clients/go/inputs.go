package exitcodes

import (
	"fmt"
	"strings"
)

// Inputs are what a user's annotations on one metadata, a job's or a replica template's, ask for.
type Inputs struct {
	// Profile names a profile; empty if none was asked for.
	Profile string
	// Retryable and Permanent are codes to move to that side; they have no code in common.
	Retryable, Permanent Codes
	// MaxRetries replaces the profile's; nil if none was asked for.
	MaxRetries *int32
}

// InputError is an input annotation that cannot be used.
type InputError struct {
	// Key is the annotation.
	Key string
	// Message says what to write instead.
	Message string
}

func (e InputError) Error() string {
	return e.Key + ": " + e.Message
}

// InputErrors are all that is wrong with the annotations of one metadata.
type InputErrors []InputError

func (e InputErrors) Error() string {
	messages := make([]string, len(e))
	for i, one := range e {
		messages[i] = one.Error()
	}
	return strings.Join(messages, "\n")
}

// ReadInputs reads the inputs among annotations, which may be nil. The error, if any, is of type
// InputErrors and tells everything that is wrong.
func ReadInputs(annotations map[string]string, profiles Profiles) (Inputs, error) {
	var inputs Inputs
	var problems InputErrors
	fail := func(key, format string, args ...interface{}) {
		problems = append(problems, InputError{Key: key, Message: fmt.Sprintf(format, args...)})
	}
	if name, given := annotations[ProfileAnnotation]; given {
		inputs.Profile = name
		if _, found := profiles.Find(name); !found {
			fail(ProfileAnnotation, "there is no profile %.70q: the profiles are %s", name,
				strings.Join(profiles.Names(), ", "))
		}
	}
	for _, side := range []struct {
		key    string
		target *Codes
	}{{RetryableAnnotation, &inputs.Retryable}, {PermanentAnnotation, &inputs.Permanent}} {
		if text, given := annotations[side.key]; given {
			codes, err := ParseCodes(text)
			if err != nil {
				fail(side.key, "%v", err)
			}
			*side.target = codes
		}
	}
	if both := inputs.Retryable.Intersection(inputs.Permanent); both.Len() > 0 {
		fail(PermanentAnnotation, "lists %d, which %s lists too: keep it on one side", both.Values()[0], RetryableAnnotation)
	}
	if text, given := annotations[MaxRetriesAnnotation]; given {
		limit, err := ParseMaxRetries(text)
		if err != nil {
			fail(MaxRetriesAnnotation, "%v", err)
		}
		inputs.MaxRetries = &limit
	}
	if problems != nil {
		return Inputs{}, problems
	}
	return inputs, nil
}

// MakeTable makes the table that the webhook writes: fallback, the namespace's profile, changed by the
// inputs of the job and then by those of the replica (for the job's own table, only the job's). The
// last of them to name a profile sets it; then the lists apply in that order, the later wins.
func MakeTable(profiles Profiles, fallback string, inputs ...Inputs) (Table, error) {
	profile := fallback
	for _, one := range inputs {
		if one.Profile != "" {
			profile = one.Profile
		}
	}
	table, found := profiles.Find(profile)
	if !found {
		return Table{}, fmt.Errorf("there is no profile %.70q", profile)
	}
	for _, one := range inputs {
		table = one.apply(table)
	}
	return table, table.Validate()
}

// apply moves the codes to their side.
func (i Inputs) apply(table Table) Table {
	table.Permanent = table.Permanent.Without(i.Retryable).Union(i.Permanent)
	table.Retryable = table.Retryable.Union(i.Retryable).Without(i.Permanent)
	if i.MaxRetries != nil {
		table.MaxRetries = i.MaxRetries
	}
	return table
}
