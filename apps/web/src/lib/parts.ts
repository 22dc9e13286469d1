import { instance } from '@catenary/contracts'
import { api } from './api.ts'
import { ConnectionError } from './errors.ts'
import { servedData } from './page-data.ts'
import { reloadOnce } from './reload.ts'
import { toast } from './toast.ts'

const ASK_MS = 3000

export interface PartCode<Module> {
  here: () => Module | undefined
  load: () => Promise<Module>
}

export class MissingPartError extends ConnectionError {
  override name = 'MissingPartError'
}

let wanted: (() => Promise<unknown>)[] = []
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
  let missing: string | undefined
  const get = () => {
    coming ??= (missing === undefined ? fetch() : fetchAgain<Module>(missing)).then(
      (module) => {
        here = module
        return module
      },
      (error: unknown) => {
        coming = null
        missing ??= addressIn(error)
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
    load: () => {
      const isRetry = missing !== undefined
      return get().catch(async (error: unknown) => {
        await reloadIfOutdated({ isRetry })
        throw new MissingPartError(error)
      })
    },
  }
}

export function fetchPartsAhead(): void {
  hasStarted = true
  window.addEventListener('online', () => {
    wanted.push(...failed)
    failed = []
    fetchWhileIdle()
  })
  fetchWhileIdle()
}

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

/** Safari does not name the module that it could not fetch. */
function addressIn(error: unknown): string | undefined {
  return error instanceof Error ? /https?:\/\/\S+/.exec(error.message)?.[0] : undefined
}

/** Under another address: a page remembers that a module could not be fetched. */
function fetchAgain<Module>(address: string): Promise<Module> {
  const url = new URL(address)
  url.searchParams.set('again', String(Date.now()))
  return import(/* @vite-ignore */ url.href)
}

/**
 * Reloads a page under which a newer version was installed, so that its parts are gone; and one that reaches the
 * server but, on retry, still not the part, as something that it imports is remembered as missing.
 */
async function reloadIfOutdated({ isRetry }: { isRetry: boolean }): Promise<void> {
  const build = servedData?.instance.build
  if (!navigator.onLine || build === undefined) return
  const signal = AbortSignal.timeout(ASK_MS)
  const served = await api('GET /api/instance', { reply: instance, signal }).catch(() => undefined)
  if (served !== undefined && (isRetry || served.build !== build)) await reloadOnce()
}
