import path from 'node:path'

/** What systems take for the path of a socket, in bytes: Linux four more. */
export const CONTROL_PATH_MAX = 103
export const CONTROL_HEADERS = { 'content-type': 'application/octet-stream' }

/** Where the program that has a data directory listens; undefined where no socket can be. */
export function controlPathOf(dataDir: string): string | undefined {
  const place = path.join(dataDir, 'control.sock')
  return process.platform === 'win32' || Buffer.byteLength(place) > CONTROL_PATH_MAX ? undefined : place
}
