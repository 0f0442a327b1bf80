"""Networks made of attention: encoders, decoders, and the machine that they make together."""

from jumok.models.decoder import Given, Step, Steps
from jumok.models.encoded import Encoded
from jumok.models.encoder_decoder import EncoderDecoder, Scores, Sums
from jumok.models.output import Output
from jumok.models.recurrent_decoder import RecurrentDecoder, RecurrentDecoderSettings, RecurrentState
from jumok.models.settings import PRESETS, ModelSettings, ReinforceSettings, ScheduledSamplingSettings
from jumok.models.text_encoder import RecurrentEncoder, RecurrentEncoderSettings
from jumok.models.transformer import TransformerDecoder, TransformerEncoder, TransformerSettings, TransformerState

__all__ = [
    "PRESETS",
    "Encoded",
    "EncoderDecoder",
    "Given",
    "ModelSettings",
    "Output",
    "RecurrentDecoder",
    "RecurrentDecoderSettings",
    "RecurrentEncoder",
    "RecurrentEncoderSettings",
    "RecurrentState",
    "ReinforceSettings",
    "ScheduledSamplingSettings",
    "Scores",
    "Step",
    "Steps",
    "Sums",
    "TransformerDecoder",
    "TransformerEncoder",
    "TransformerSettings",
    "TransformerState",
]
