"""Where an estimator differs from the reference module, it is made to speak the reference module's language.

A claim needs names as the reference module defines them. ``adapters/TOPIC.py`` defines those that the
estimators of the topic have in another form: about ten lines a topic, and none where the two agree.
"""
