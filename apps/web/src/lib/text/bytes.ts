/** Size of a text as a file. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}

/** A size as file managers say it: `512 B`, `2.1 kB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`
}
