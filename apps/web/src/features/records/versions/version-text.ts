interface Release {
  label: string | null
  version: number | null
}

/** `version 4`, or `version 4 (production)` where a label chose it; null where neither is known. */
export function versionText({ label, version }: Release): string | null {
  if (version === null) return label
  return label === null ? `version ${version}` : `version ${version} (${label})`
}
