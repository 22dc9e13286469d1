import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs'
import path from 'node:path'

function fsyncFile(file: string) {
  // Windows only syncs a handle that may write.
  const descriptor = openSync(file, process.platform === 'win32' ? 'r+' : 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

export function fsyncDirectory(directory: string) {
  // Windows can't open a directory, and its file systems journal names.
  if (process.platform !== 'win32') fsyncFile(directory)
}

export function fsyncTree(directory: string) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const child = path.join(directory, entry.name)
    if (entry.isDirectory()) fsyncTree(child)
    else if (entry.isFile()) fsyncFile(child)
  }
  fsyncDirectory(directory)
}
