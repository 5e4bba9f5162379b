// The constants of the original library under the names of its headers (access-enabler 3).
//
// Code that is moved here imports them beside AccessEnabler, and compiles as it is. New code writes the members of
// AccessEnabler that they stand for; an application that does not import this module keeps these names for itself.
