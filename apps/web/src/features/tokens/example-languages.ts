import type { ApiExample } from '@catenary/domain'

export const LANGUAGES: Record<ApiExample['language'], string | null> = {
  Shell: 'bash',
  TypeScript: 'typescript',
  Python: 'python',
  TOML: null,
  JSON: 'json',
}
