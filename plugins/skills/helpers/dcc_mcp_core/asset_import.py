"""The description of an asset that one script downloads and another imports."""
from dataclasses import dataclass, field, fields
from typing import Any, Dict, List, Optional

__all__ = [
    "AssetAttribution",
    "AssetDescriptor",
    "AssetFileVariant",
    "AssetFormat",
    "AssetImportValidationError",
    "AxisHint",
    "UnitHint",
]


class AssetFormat:
    OBJ, FBX, GLTF, GLB, USD, USDZ, ABC, BLEND = "obj", "fbx", "gltf", "glb", "usd", "usdz", "abc", "blend"
    UNKNOWN = "unknown"


class AxisHint:
    Y, Z = "y", "z"


class UnitHint:
    METER, CENTIMETER, INCH, UNITLESS = "meter", "centimeter", "inch", "unitless"


class AssetImportValidationError(ValueError):
    """A description that nobody could import by."""


class _Record:
    """Written as a dict without what is not known, and read from one."""

    def to_dict(self):
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {key: _plain(value) for key, value in values.items() if value is not None and value is not False}

    @classmethod
    def from_dict(cls, data):
        return cls(**{each.name: data[each.name] for each in fields(cls) if data.get(each.name) is not None})


def _plain(value):
    if isinstance(value, _Record):
        return value.to_dict()
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return dict(value) if isinstance(value, dict) else value


@dataclass(frozen=True)
class AssetAttribution(_Record):
    source_url: str
    license_spdx: Optional[str] = None
    license_text: Optional[str] = None
    author: Optional[str] = None
    title: Optional[str] = None
    attribution_text: Optional[str] = None


@dataclass(frozen=True)
class AssetFileVariant(_Record):
    local_path: str
    format: str = AssetFormat.UNKNOWN
    preferred: bool = False
    mime: Optional[str] = None
    file_ref: Optional[Dict[str, Any]] = None


@dataclass(frozen=True)
class AssetDescriptor(_Record):
    asset_id: str
    variants: List[AssetFileVariant] = field(default_factory=list)
    attribution: Optional[AssetAttribution] = None
    preview: Optional[str] = None
    unit_hint: str = UnitHint.UNITLESS
    meters_per_unit: float = 1.0
    up_axis: str = AxisHint.Y
    scale_hint: Optional[float] = None
    source_bbox: Optional[Dict[str, Any]] = None
    tags: List[str] = field(default_factory=list)
    extra: Dict[str, Any] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, data):
        known = dict(data, variants=[AssetFileVariant.from_dict(each) for each in data.get("variants") or ()])
        if data.get("attribution") is not None:
            known["attribution"] = AssetAttribution.from_dict(data["attribution"])
        return super().from_dict(known)

    def validate(self):
        if not self.variants or not all(each.local_path for each in self.variants):
            raise AssetImportValidationError("AssetDescriptor.variants needs files, each with a local_path")
        given = self.attribution
        if given is not None and not (given.source_url and (given.license_spdx or given.license_text)):
            raise AssetImportValidationError("AssetDescriptor.attribution needs source_url and a licence")
