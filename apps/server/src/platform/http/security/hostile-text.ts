import type { ErrorDetail } from '@catenary/contracts'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../errors.ts'

const PATH_MAX = 200

/**
 * PostgreSQL stores neither NUL bytes nor lone surrogates: refuses them at the edge, also in keys (D5), and keys that
 * would reach a prototype. Bodies are looked at as they are parsed.
 */
export function refuseHostileText(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    const detail = findHostileText([request.params, request.query])
    if (detail !== undefined) throw new AppError('invalid', detail.message, { details: [detail] })
  })
}

interface Place {
  value: unknown
  key: string
  parent: Place | undefined
}

/** Iterative, as a deeply nested body must not overflow the stack; a path is made for what is refused only. */
export function findHostileText(roots: unknown[]): ErrorDetail | undefined {
  const rest: Place[] = roots.map((value) => ({ value, key: '', parent: undefined }))
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { value } = next
    if (typeof value === 'string') {
      const message = hostility(value)
      if (message !== undefined) return { path: pathOf(next), message }
    } else if (typeof value === 'object' && value !== null) {
      const isConstructor = next.key === 'constructor'
      const isList = Array.isArray(value)
      for (const key of Object.keys(value)) {
        const message = isList ? undefined : (hostility(key) ?? reach(key, isConstructor))
        if (message !== undefined) return { path: pathOf(next), message }
        rest.push({ value: value[key as keyof typeof value], key, parent: next })
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

function reach(key: string, isInConstructor: boolean): string | undefined {
  const reaches = key === '__proto__' || (isInConstructor && key === 'prototype')
  return reaches ? `The key ${key} is not allowed` : undefined
}

function pathOf(place: Place): string {
  const keys: string[] = []
  for (let at: Place | undefined = place; at?.parent !== undefined; at = at.parent) {
    keys.push(at.key.slice(0, PATH_MAX))
  }
  return keys.reverse().join('.').slice(0, PATH_MAX).toWellFormed()
}
