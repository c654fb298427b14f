"""How far a learnt graph can be trusted."""
