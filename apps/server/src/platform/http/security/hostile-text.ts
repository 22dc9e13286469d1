import type { ErrorDetail } from '@catenary/contracts'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../errors.ts'

/** Deeper than anything that is asked for; what is done with a value may need the stack. */
const DEPTH_MAX = 100
/** A path may be longer than anyone reads. */
const PATH_MAX = 200

/**
 * PostgreSQL stores neither NUL bytes nor lone surrogates: refuses them at the edge, also in keys (D5), and keys that
 * would reach a prototype, and deeply nested input.
 */
export function refuseHostileText(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    const detail = findHostileText([request.params, request.query, request.body])
    if (detail !== undefined) throw new AppError('invalid', detail.message, { details: [detail] })
  })
}

// Iterative: a deeply nested body must not overflow the stack.
function findHostileText(roots: unknown[]): ErrorDetail | undefined {
  const rest = roots.map((value) => ({ path: '', value, depth: 0 }))
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { path, value, depth } = next
    if (typeof value === 'string') {
      const message = hostility(value)
      if (message !== undefined) return { path, message }
    } else if (typeof value === 'object' && value !== null) {
      if (depth > DEPTH_MAX)
        return { path: path.slice(0, PATH_MAX), message: `At most ${DEPTH_MAX} levels within each other` }
      for (const [key, child] of Object.entries(value)) {
        const message = hostility(key) ?? reachOf({ path, key })
        if (message !== undefined) return { path, message }
        rest.push({ path: path === '' ? key : `${path}.${key}`, value: child, depth: depth + 1 })
      }
    }
  }
  return undefined
}

function hostility(text: string): string | undefined {
  if (text.includes('\0')) return 'Text must not contain NUL bytes'
  if (!text.isWellFormed()) return 'Text must be valid Unicode'
  return undefined
}

function reachOf({ path, key }: { path: string; key: string }): string | undefined {
  const reaches = key === '__proto__' || (key === 'prototype' && /(^|\.)constructor$/.test(path))
  return reaches ? `The key ${key} is not allowed` : undefined
}
