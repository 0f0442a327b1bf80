"""Networks made of attention: encoders, decoders, and the machine that they make together."""

from jumok.models.decoder import Given, Step, Steps
from jumok.models.drawing import diagram
from jumok.models.encoded import Encoded
from jumok.models.encoder_decoder import EncoderDecoder, Scores, Sums
from jumok.models.graph_network import GraphNetwork, GraphNetworkSettings, GraphStep
from jumok.models.memory_network import Answered, MemoryNetwork, MemoryNetworkSettings
from jumok.models.output import Output
from jumok.models.recurrent_decoder import RecurrentDecoder, RecurrentDecoderSettings, RecurrentState
from jumok.models.regions import PictureModelSettings, RegionEncoder, RegionSettings
from jumok.models.settings import (
    PRESETS,
    DoublyStochasticSettings,
    ModelSettings,
    ReinforceSettings,
    ScheduledSamplingSettings,
)
from jumok.models.text_encoder import RecurrentEncoder, RecurrentEncoderSettings
from jumok.models.transformer import TransformerDecoder, TransformerEncoder, TransformerSettings, TransformerState

__all__ = [
    "PRESETS",
    "Answered",
    "DoublyStochasticSettings",
    "Encoded",
    "EncoderDecoder",
    "Given",
    "GraphNetwork",
    "GraphNetworkSettings",
    "GraphStep",
    "MemoryNetwork",
    "MemoryNetworkSettings",
    "ModelSettings",
    "Output",
    "PictureModelSettings",
    "RecurrentDecoder",
    "RecurrentDecoderSettings",
    "RecurrentEncoder",
    "RecurrentEncoderSettings",
    "RecurrentState",
    "RegionEncoder",
    "RegionSettings",
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
    "diagram",
]
