"""Excel workbooks (.xlsx): their parts, the cells of a sheet, and sheets as tables."""
