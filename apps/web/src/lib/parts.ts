import { instance } from '@catenary/contracts'
import { read } from './api-client.ts'
import { servedData } from './page-data.ts'
import { reloadOnce } from './reload.ts'
import { toast } from './toast.ts'

const ASK_MS = 3000

/** The code of a part of the page, which comes when it is first wanted, or before that while nothing else is to do. */
export interface PartCode<Module> {
  /** What has come; undefined until then. */
  here: () => Module | undefined
  load: () => Promise<Module>
}

/** A part's code could not be loaded. */
export class MissingPartError extends Error {
  constructor(cause: unknown) {
    super(navigator.onLine ? 'The server could not be reached.' : 'You are offline.', { cause })
    this.name = 'MissingPartError'
  }
}

/** Not here yet, and worth having before it is wanted. */
let wanted: (() => Promise<unknown>)[] = []
/** Parts that failed to load are retried when the network comes back. */
let failed: typeof wanted = []
let isFetching = false
let hasStarted = false

export function partCode<Module>({
  fetch,
  isAhead,
}: {
  fetch: () => Promise<Module>
  isAhead: boolean
}): PartCode<Module> {
  let coming: Promise<Module> | null = null
  let here: Module | undefined
  const get = () => {
    coming ??= fetch().then(
      (module) => {
        here = module
        return module
      },
      (error: unknown) => {
        coming = null
        throw error
      },
    )
    return coming
  }
  if (isAhead) {
    wanted.push(get)
    fetchWhileIdle()
  }
  return {
    here: () => here,
    load: () =>
      get().catch(async (error: unknown) => {
        await reloadIfOutdated()
        throw new MissingPartError(error)
      }),
  }
}

/** From here on, parts that a click may need are fetched while nothing else is to do. */
export function fetchPartsAhead(): void {
  hasStarted = true
  window.addEventListener('online', () => {
    wanted.push(...failed)
    failed = []
    fetchWhileIdle()
  })
  fetchWhileIdle()
}

/** Shows that a part can't be loaded now, with Retry; returns the toast's id. */
export function toastMissing({
  error,
  onRetry,
  onGone,
}: {
  error: Error
  onRetry: () => void
  onGone?: () => void
}): number {
  return toast({
    title: 'This could not be opened',
    description: error.message,
    variant: 'destructive',
    action: { label: 'Retry', onPress: onRetry },
    duration: Number.POSITIVE_INFINITY,
    ...(onGone && { onGone }),
  })
}

/** One after the other. */
function fetchWhileIdle(): void {
  const [next] = wanted
  if (!hasStarted || isFetching || next === undefined || !navigator.onLine) return
  isFetching = true
  const whenIdle: (run: () => void) => unknown = globalThis.requestIdleCallback ?? setTimeout
  const settle = () => {
    wanted = wanted.filter((get) => get !== next)
    isFetching = false
    fetchWhileIdle()
  }
  whenIdle(() => void next().then(settle, () => failed.push(next) && settle()))
}

/** A newer version was installed under this page, and its parts are gone: the page is reloaded. */
async function reloadIfOutdated(): Promise<void> {
  const build = servedData?.instance.build
  if (!navigator.onLine || build === undefined) return
  const signal = AbortSignal.timeout(ASK_MS)
  const served = await read({ path: '/api/instance', schema: instance, signal }).catch(() => undefined)
  if (served !== undefined && served.build !== build) await reloadOnce()
}
