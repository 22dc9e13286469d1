import { RateWindows } from './rate-windows.ts'

export interface Addition {
  key: string | number
  /** How long a window is, from its first addition on. */
  windowMs: number
  weight?: number
  /** What may come in a window. */
  limit: number
  /** In the memory of one process, what is refused is not counted. */
  forgetsRefused?: boolean
}

/** What has come in the window, this included, and when it ends, in milliseconds. */
export interface WindowState {
  current: number
  ttl: number
}

/** Counts what comes in windows of time, one a key. */
interface Windows {
  add(addition: Addition): Promise<WindowState>
}

interface WindowsOptions {
  /** Of what is counted; no two limits have the same. */
  name: string
  /** How many keys one process remembers. */
  capacity?: number
  /** The clock of one process, in milliseconds. */
  now?: () => number
}

export type CreateWindows = (options: WindowsOptions) => Windows

/** Counts in this process, where no other can be. */
export const createOwnWindows: CreateWindows = ({ name: _name, ...options }) => {
  const windows = new RateWindows<string | number>(options)
  return {
    add: async ({ limit, forgetsRefused, ...added }) =>
      windows.add({ ...added, ...(forgetsRefused && { most: limit }) }),
  }
}
