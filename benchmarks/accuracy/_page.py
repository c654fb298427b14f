def page(*a): return ""
def write(t): pass
