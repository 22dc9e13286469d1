interface Release {
  label: string | null
  version: number | null
}

export function versionText({ label, version }: Release): string | null {
  if (version === null) return label
  return label === null ? `version ${version}` : `version ${version} (${label})`
}
