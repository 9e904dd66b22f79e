module test

go 1.24

require tonwerk v0.0.0

replace tonwerk => ../../../sdk/go
