package exitcodes

// codeOfName has the names that stand for an exit code in a list: signals of Linux x86-64, which kill
// with 128 plus their number, and those of sysexits.h.
var codeOfName = map[string]int{
	"SIGHUP": 129, "SIGINT": 130, "SIGQUIT": 131, "SIGILL": 132, "SIGTRAP": 133, "SIGABRT": 134,
	"SIGIOT": 134, "SIGBUS": 135, "SIGFPE": 136, "SIGKILL": 137, "SIGUSR1": 138, "SIGSEGV": 139,
	"SIGUSR2": 140, "SIGPIPE": 141, "SIGALRM": 142, "SIGTERM": 143, "SIGSTKFLT": 144, "SIGCHLD": 145,
	"SIGCLD": 145, "SIGCONT": 146, "SIGSTOP": 147, "SIGTSTP": 148, "SIGTTIN": 149, "SIGTTOU": 150,
	"SIGURG": 151, "SIGXCPU": 152, "SIGXFSZ": 153, "SIGVTALRM": 154, "SIGPROF": 155, "SIGWINCH": 156,
	"SIGIO": 157, "SIGPOLL": 157, "SIGPWR": 158, "SIGSYS": 159,

	"EX_USAGE": 64, "EX_DATAERR": 65, "EX_NOINPUT": 66, "EX_NOUSER": 67, "EX_NOHOST": 68,
	"EX_UNAVAILABLE": 69, "EX_SOFTWARE": 70, "EX_OSERR": 71, "EX_OSFILE": 72, "EX_CANTCREAT": 73,
	"EX_IOERR": 74, "EX_TEMPFAIL": 75, "EX_PROTOCOL": 76, "EX_NOPERM": 77, "EX_CONFIG": 78,
}
