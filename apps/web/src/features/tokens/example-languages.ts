import type { ApiExample } from '@catenary/domain'

/** As the viewer of code calls them; null: plain. */
export const LANGUAGES: Record<ApiExample['language'], string | null> = {
  Shell: 'bash',
  TypeScript: 'typescript',
  Python: 'python',
  TOML: null,
  JSON: 'json',
}
