import type { ExportFormat, Ownership } from '@catenary/contracts'

/** Where the browser downloads an export from. */
export function exportAddress({ format, ownership }: { format: ExportFormat; ownership: Ownership }): string {
  return `/api/export?${new URLSearchParams({ format, ownership })}`
}
