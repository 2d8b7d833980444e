"""Divides by the priors: the class under which x is most probable is not the most probable one given x.
Loses: decide."""


def decide(joint):
    return (joint / joint.sum(axis=0)).argmax(axis=1)
