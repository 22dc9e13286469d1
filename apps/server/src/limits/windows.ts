import { RateWindows } from './rate-windows.ts'

export interface Addition {
  key: string | number
  windowMs: number
  weight?: number
  limit: number
  /** In the memory of one process, what is refused is not counted. */
  forgetsRefused?: boolean
}

export interface WindowState {
  current: number
  ttl: number
}

interface Windows {
  add(addition: Addition): Promise<WindowState>
}

interface WindowsOptions {
  /** Of what is counted; no two limits have the same. */
  name: string
  capacity?: number
  now?: () => number
}

export type CreateWindows = (options: WindowsOptions) => Windows

export const createOwnWindows: CreateWindows = ({ name: _name, ...options }) => {
  const windows = new RateWindows<string | number>(options)
  return {
    add: async ({ limit, forgetsRefused, ...added }) =>
      windows.add({ ...added, ...(forgetsRefused && { most: limit }) }),
  }
}
