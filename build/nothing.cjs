// Stands for a package that another would use if it were installed.
