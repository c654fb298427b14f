"""likely digits: handwritten digits, or any images of up to ten classes, on black and white pixels."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from likely.cli import options
from likely.cli.options import argument, option
from likely.cli.terminal.failures import UsageError, Verb, Verbs
from likely.cli.terminal.pictures import check_pictures, keep_picture
from likely.cli.terminal.session import Session, verb
from likely.output.draw import draw as draw_picture

EXAMPLE = "likely digits evaluate digits.likely testimages testlabels --sweep-k"
app = typer.Typer(
    cls=Verbs,
    help="Recognise handwritten digits. Without a verb: train and test on scikit-learn's 8 x 8 digits.",
    invoke_without_command=True,
    epilog=f"Example: {EXAMPLE}",
)
IMAGES = "Images: text of blanks, + and #; PNG or PGM (a pattern in quotes); or MNIST's IDX."
Images = Annotated[str, argument("IMAGES", IMAGES)]
Labels = Annotated[str, argument("LABELS", "Labels: one a line, or MNIST's IDX.")]
Learner = Annotated[str, option("--model -m NAME", f"Which classifier learns: {options.CLASSIFIERS}.")]
Smoothing = Annotated[float | None, option("--k K", "Laplace smoothing K. [default: 1]", min=0.0)]
Size = Annotated[str, option("--size HxW", "Pixels of an image in text or pictures.")]
Sweep = Annotated[bool, option("--sweep-k", "Also try K = 0.1, 0.5, 1, 2, 5, 10: the counts stay the same.")]
Folder = Annotated[Path | None, option("--output -o FOLDER", "Where to put the pictures.")]


@app.callback()
@verb
def both(
    session: Session,
    context: typer.Context,
    model: Learner = "naive",
    said: options.Set = None,
    output: Folder = None,
) -> None:
    """Train and test on scikit-learn's 8 x 8 digits."""
    if context.invoked_subcommand is not None:
        return
    from likely.digits import bundled

    training, test = bundled()
    session.say(
        f"scikit-learn's digits of 8 x 8 pixels: {len(training[1]):,} to learn from, {len(test[1]):,} to be judged on"
    )
    fitted = _trained(session, training, None, model, said)
    _report(session, fitted, test, _smooths(fitted), output)


@app.command(cls=Verb, epilog="Example: likely digits train trainingimages traininglabels -o digits.likely")
@verb
def train(
    session: Session,
    images: Images,
    labels: Labels,
    output: options.ModelOutput,
    model: Learner = "naive",
    k: Smoothing = None,
    said: options.Set = None,
    size: Size = "28x28",
) -> None:
    """Learn digits from images and their labels, and save the model and the size of its images to a file."""
    from likely.digits import open_digits
    from likely.output.atomic_write import check_place

    check_place(output)
    height, width = _size(size)
    found = open_digits(images, labels, height, width)
    fitted = _trained(session, found, k, model, said)
    fitted.save(output)
    counts = dict(zip(map(str, fitted.classes_.tolist()), fitted.model_.rows.tolist(), strict=True))
    size_ = {"height": found[0].height, "width": found[0].width}
    smoothing = getattr(fitted, "smoothing", None)
    told = {"output": str(output), "images": len(found[1]), **size_, "digits": counts, "k": smoothing, "model": model}
    session.answer(told)
    shown = ", ".join(f"{digit}: {count:,.0f}" for digit, count in counts.items())
    session.say(f"{len(found[1]):,} images learnt ({shown}), saved to {output}")


@app.command(cls=Verb, epilog=f"Example: {EXAMPLE}")
@verb
def evaluate(
    session: Session,
    model: options.Model,
    images: Images,
    labels: Labels,
    sweep_k: Sweep = False,
    output: Folder = None,
) -> None:
    """Judge a model on images: right ones by digit, confusions, the most and least typical image of each digit."""
    from likely.cli.inputs import open_model
    from likely.digits import open_digits, shape_of

    found = open_model(model)
    _report(session, found, open_digits(images, labels, *shape_of(found)), sweep_k, output)


@app.command(cls=Verb, epilog="Example: likely digits predict digits.likely 'scans/*.png'")
@verb
def predict(
    session: Session,
    model: options.Model,
    images: Images,
    proba: Annotated[bool, option("--proba", "Also the probability of every digit.")] = False,
) -> None:
    """Say which digit each image shows, and how sure the model is."""
    from likely.cli.inputs import open_model
    from likely.cli.terminal.render import table
    from likely.digits import open_images, shape_of

    found = open_model(model)
    shares = found.predict_proba(open_images(images, *shape_of(found)).bits)
    names, best = [str(level) for level in found.classes_.tolist()], shares.argmax(axis=1)
    rows = [
        {
            "digit": found.classes_[at],
            "probability": shares[row, at],
            **({"probabilities": dict(zip(names, shares[row].tolist(), strict=True))} if proba else {}),
        }
        for row, at in enumerate(best)
    ]
    session.answer({"images": len(rows), "digits": rows})
    shown = table(f"{len(rows):,} images of {images}", "image", "digit", "probability", *(names if proba else []))
    for row, told in enumerate(rows):
        each = [f"{share:.4f}" for share in shares[row]] if proba else []
        shown.add_row(str(row), str(told["digit"]), f"{told['probability']:.4f}", *each)
    session.say(shown)


@app.command(cls=Verb, epilog="Example: likely digits sample digits.likely -n 3 -o generated.png")
@verb
def sample(
    session: Session,
    model: options.Model,
    each: Annotated[int, option("-n N", "How many images of each digit.", min=1)] = 1,
    output: options.Picture = None,
) -> None:
    """Draw new images from what a model believes of each digit: in the terminal, or a picture."""
    from likely.cli.inputs import open_model
    from likely.digits import draw_small, generate

    check_pictures(output)
    made, labels = generate(open_model(model), each, session.seed)
    order = [at for row in range(each) for at in range(row, len(labels), each)]  # a column for each digit
    names = [*labels[order[: len(labels) // each]], *[""] * (len(labels) - len(labels) // each)]
    looks = {"labels": names, "columns": len(labels) // each, "title": "Images drawn from the model"}
    output = keep_picture(session, lambda: draw_picture("images", made[order].grid, **looks), output)
    page = {"labels": labels.tolist(), "height": made.height, "width": made.width, "images": made.bits.tolist()}
    session.answer(page, picture=output)
    session.say(*(draw_small(made).split("\n") if output is None else [f"{len(labels)} images drawn"]))
    session.say_places(picture=output)


@app.command(cls=Verb, epilog="Example: likely digits draw testimages --row 7")
@verb
def draw(
    session: Session,
    images: Images,
    row: Annotated[int, option("--row N", "Which image, numbered from 0.", min=0)] = 0,
    size: Size = "28x28",
) -> None:
    """Draw an image in the terminal."""
    from likely.cli.inputs import NoRowError
    from likely.digits import draw as drawn
    from likely.digits import open_images

    found = open_images(images, *_size(size))
    if row >= len(found):
        hint = f"there are {len(found)} images, numbered from 0"
        raise NoRowError("D128", f"there is no image {row}", place=images, hint=hint)
    picture = drawn(found[row : row + 1])
    session.answer({"row": row, "height": found.height, "width": found.width, "lines": picture.split("\n")})
    session.say(picture)


def _size(text: str) -> tuple[int, int]:
    try:
        height, width = (int(part) for part in text.lower().split("x"))
    except ValueError:
        hint = "say height x width in pixels, as in --size 28x28"
        raise UsageError("U111", f"{text!r} is no size", place="--size", hint=hint) from None
    return height, width


def _trained(session: Session, digits: Any, k: float | None, name: str, said: list[str] | None) -> Any:
    """The model of that name, taught that a pixel is on or off, and with the class shares of the images as priors."""
    from likely.digits import train as learn
    from likely.estimators.registry import kind_of, make, options_of

    if not hasattr(kind_of(name), "predict_proba"):
        hint = f"choose among {options.CLASSIFIERS}"
        raise UsageError("U134", f"{name} is a regression model, and a digit is a class", place="--model", hint=hint)
    known = options_of(name)
    if k is not None and "smoothing" not in known:
        raise UsageError("U131", f"{name} has no K", place="--k", hint="leave --k out; --set names its own options")
    usual = {
        "kinds": "binary",
        "priors": "empirical",
        "smoothing": 1.0 if k is None else k,
        "random_state": session.seed,
    }
    own = {option: value for option, value in usual.items() if option in known}
    return learn(make(name, {**own, **options.read_settings(said)}), *digits)


def _smooths(model: Any) -> bool:
    """Whether another K needs no new training."""
    return hasattr(model.model_, "setting") and "smoothing" in model.get_params()


def _report(session: Session, model: Any, digits: Any, sweeps: bool, folder: Path | None) -> None:
    """The study in words, the sweep over K, and the pictures."""
    from likely.digits import evaluate as study
    from likely.digits import sweep_trained

    told = study(model, *digits)
    tried = sweep_trained(model, digits) if sweeps else None
    places = [] if folder is None else _pictures(told, model, folder)
    session.answer(
        {
            **told.to_dict(),
            "sweep": None if tried is None else tried.to_dict(),
            "pictures": [str(place) for place in places],
        }
    )
    session.say(*([f"K={model.smoothing:g}"] if _smooths(model) else []), str(told))
    if tried is not None:
        session.say("", str(tried))
    if told.typical:
        rows = ", ".join(f"{one.digit}: {one.most} and {one.least}" for one in told.typical)
        session.say("")
        session.tell(f"most and least typical image of each class, by row: {rows}")
    session.say("", repr(told.confusion), *(f"picture: {place}" for place in places))


def _pictures(told: Any, model: Any, folder: Path) -> list[Path]:
    """Confusion, typical images, and what tells the most confused pairs apart."""
    from likely.digits import log_odds_map
    from likely.models import NaiveModel
    from likely.output.atomic_write import make_folder
    from likely.plots import images
    from likely.plots.picture_files import save

    make_folder(folder)
    pairs = told.pairs[:4]
    figures = {"confusion": told.plot()}
    if told.typical:
        figures["typical"] = told.plot_typical()
    if pairs and isinstance(model.model_, NaiveModel):  # elsewhere a pixel says something else beside other pixels
        maps = [log_odds_map(model, pair.digit, pair.taken_for) for pair in pairs]
        labels = [f"{pair.digit} against {pair.taken_for}" for pair in pairs]
        figures["log-odds"] = images(
            maps, labels=labels, columns=len(pairs), title="What tells them apart: red speaks for the first"
        )
    for name, figure in figures.items():
        save(figure, folder / f"digits-{name}.png")
    return [folder / f"digits-{name}.png" for name in figures]
