import type { ExportFormat, Ownership } from '@catenary/contracts'
import { apiPath } from '../../lib/api.ts'

/** Where the browser downloads an export from. */
export function exportAddress(query: { format: ExportFormat; ownership: Ownership }): string {
  return apiPath('GET /api/export', { query })
}
