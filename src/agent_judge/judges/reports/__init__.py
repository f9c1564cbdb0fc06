"""Reading what tools report, within bounds: files that are as large and as broken as they like."""
