module tonwerk

go 1.24
