import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { states } from '../e2e/states/catalogue.ts'
import { root } from './lib/root.mjs'

const pages = readFileSync(join(root, 'apps/web/src/app/pages.ts'), 'utf8')
/** It leads to Connect, and shows nothing of its own. */
const FORMER = '/api-access'
const paths = [...pages.matchAll(/ path: '([^']+)'/g)].flatMap(([, path = '']) =>
  path === FORMER ? [] : [path],
)

test.each(paths)('the page %s has a state, for the checks of every screen and for its pictures', (path) => {
  const isOf = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/?]+')}(?:[?#]|$)`)
  const shown = states.filter((state) => isOf.test(state.path))
  expect(shown, 'e2e/states/catalogue.ts lists them').not.toEqual([])
})
