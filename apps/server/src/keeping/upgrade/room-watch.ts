import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'

const POLL_MS = 200

/** Learns how much a directory grows meanwhile: at its largest, as what is written anew stands beside the old for a while. */
export function createRoomWatch(directory: string) {
  let [first, most] = [0, 0]
  let timer: NodeJS.Timeout | undefined
  const measure = () => {
    most = Math.max(most, sizeOf(directory))
  }
  return {
    begin: () => {
      first = sizeOf(directory)
      most = first
      timer = setInterval(measure, POLL_MS)
    },
    measure,
    end: () => clearInterval(timer),
    growth: () => most - first,
  }
}

function sizeOf(directory: string): number {
  const sizes = listEntries(directory).map((entry) => {
    const place = path.join(directory, entry.name)
    if (entry.isDirectory()) return sizeOf(place)
    return entry.isFile() ? (statSync(place, { throwIfNoEntry: false })?.size ?? 0) : 0
  })
  return sizes.reduce((sum, size) => sum + size, 0)
}

function listEntries(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
