import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server'
import { AppError } from '../../../errors.ts'
import { onePerApp } from '../../../platform/context.ts'
import { type Grant, openGrant } from '../../tokens/tokens.ts'
import { fingerprintReach } from './mcp-reach.sql.ts'
import { watchLists } from './watch-lists.ts'

/** What no note tells: an end that came by itself, another's acceptance, a note that was lost. */
const LOOK_AGAIN_MS = 15_000
/** Streams that clients of one token keep open to be told of changes, in one process. */
const STREAMS_OF_TOKEN = 20

interface OpenCall {
  /** What the client showed, which is looked up again while it is connected. */
  token: string | undefined
  grant: Grant
  end: () => void
  /** Looks whether something that its client listens to has changed. */
  look?: () => void
}

/** What clients have open: it ends with their token, and they are told of changes. */
export const openCalls = onePerApp((ctx) => {
  const { db, rowChanges, log, draining } = ctx
  const open = new Set<OpenCall>()
  let timer: NodeJS.Timeout | undefined

  async function check(call: OpenCall): Promise<void> {
    try {
      await openGrant(ctx, call.token)
    } catch (error) {
      // What can't be known now is asked again.
      if (error instanceof AppError && error.code === 'unauthenticated') call.end()
    }
  }

  function lookAgain(): void {
    for (const call of open) {
      void check(call)
      call.look?.()
    }
  }

  rowChanges.subscribe((change) => {
    if (open.size === 0) return
    if (change === null) return lookAgain()
    const { table, ids } = change
    for (const call of open) {
      const { tokenId, user } = call.grant
      const isOwn = (id: number) => ids === null || ids.includes(id)
      if ((table === 'api_tokens' && isOwn(tokenId)) || (table === 'users' && isOwn(user.id)))
        void check(call)
      if (isListed(call.grant, change)) call.look?.()
    }
  })

  draining.addEventListener('abort', () => {
    for (const call of open) if (call.look !== undefined) call.end()
  })

  const listening = (tokenId: number): number =>
    [...open].filter(({ grant, look }) => grant.tokenId === tokenId && look !== undefined).length

  /** Where a stream listens, what changes is published once it has settled; one too many is cut. */
  function watch(call: OpenCall, publish: (event: ServerEvent) => void): () => void {
    if (listening(call.grant.tokenId) >= STREAMS_OF_TOKEN) {
      call.end()
      return () => undefined
    }
    const read = async () => fingerprintReach(db, await openGrant(ctx, call.token))
    const { look, stop } = watchLists({ read, publish, log })
    call.look = look
    return () => {
      stop()
      delete call.look
    }
  }

  return {
    /** The result removes it again. */
    add(call: OpenCall): () => void {
      open.add(call)
      timer ??= setInterval(lookAgain, LOOK_AGAIN_MS).unref()
      return () => {
        open.delete(call)
        if (open.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },

    /** For one call: what it subscribes to is watched while it does. */
    busOf(call: OpenCall): ServerEventBus {
      const listeners = new Set<(event: ServerEvent) => void>()
      const publish = (event: ServerEvent) => {
        for (const listener of listeners) listener(event)
      }
      let unwatch: (() => void) | undefined
      return {
        publish,
        subscribe(listener) {
          listeners.add(listener)
          unwatch ??= watch(call, publish)
          return () => {
            listeners.delete(listener)
            if (listeners.size > 0) return
            unwatch?.()
            unwatch = undefined
          }
        },
      }
    },
  }
})

/** Whether the rows may be in a list of the token: one for all has any. */
function isListed(
  { tokenId, user, includesAllPrompts, promptIds, includesAllChains, chainIds }: Grant,
  { table, ids }: { table: string; ids: number[] | null },
): boolean {
  const has = (own: number[]) => ids === null || ids.some((id) => own.includes(id))
  if (table === 'prompts') return includesAllPrompts || has(promptIds)
  if (table === 'chains') return includesAllChains || has(chainIds)
  // Their groups may be others.
  if (table === 'users') return has([user.id])
  return table === 'api_tokens' && has([tokenId])
}
