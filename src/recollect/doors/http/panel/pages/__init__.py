"""The pages of the panel, one module each: ask the public class, give plain values to a template."""
