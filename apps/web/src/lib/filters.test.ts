import { expect, test } from 'vitest'
import { withChange } from './address.ts'
import { type Filters, readFilters, writeFilters } from './filters.ts'

test('The address holds the state of a page.', () => {
  const change: Filters = {
    search: 'a&b',
    categoryId: 3,
    tagIds: [1, 2],
    visibility: 'public',
    ownership: 'shared',
    view: 'list',
    sort: 'title',
  }
  const params = withChange(new URLSearchParams('keep=1'), writeFilters(change))
  expect(params.toString()).toBe(
    'keep=1&search=a%26b&category=3&tags=1%2C2&visibility=public&ownership=shared&view=list&sort=title',
  )
  expect(readFilters(params)).toEqual(change)
})

test('what is empty leaves the address', () => {
  const params = new URLSearchParams(
    'search=a&category=3&tags=1&visibility=shared&ownership=mine&view=list&sort=title',
  )
  const change: Filters = {
    search: '',
    categoryId: null,
    tagIds: [],
    visibility: null,
    ownership: 'all',
    view: 'grid',
    sort: 'updated',
  }
  expect(withChange(params, writeFilters(change)).toString()).toBe('')
})

test('an address with nonsense filters nothing', () => {
  expect(
    readFilters(new URLSearchParams('category=x&tags=a,-1,,1.5&visibility=x&ownership=x&view=table&sort=x')),
  ).toEqual({
    search: '',
    categoryId: null,
    tagIds: [],
    visibility: null,
    ownership: 'all',
    view: 'grid',
    sort: 'updated',
  })
})
