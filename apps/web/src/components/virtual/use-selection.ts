import { useCallback, useState } from 'react'
import { COMPACT, useMediaQuery } from '../../lib/appearance/media-query.ts'
import type { GridSelection } from './virtual-selection.ts'

interface Chosen {
  /** The question whose items they are: another one begins anew. */
  name: string
  ids: ReadonlySet<number>
  /** From where Shift extends, and what was chosen before it did. */
  anchor: number | null
  base: ReadonlySet<number>
}

const nothing = (name: string): Chosen => ({ name, ids: new Set(), anchor: null, base: new Set() })

/** Which items of a list are chosen; those that leave the list are chosen no more. */
export function useSelection<Item extends { id: number }>({
  name,
  items = [],
}: {
  name: string
  items: readonly Item[] | undefined
}) {
  const isTouch = useMediaQuery(COMPACT)
  const [chosen, setChosen] = useState<Chosen>(nothing(name))
  const { ids, anchor, base } = chosen.name === name ? chosen : nothing(name)
  const selected = items.filter(({ id }) => ids.has(id))

  const toggle = useCallback(
    (id: number) =>
      setChosen((before) => {
        const next = new Set(before.name === name ? before.ids : [])
        if (!next.delete(id)) next.add(id)
        return { name, ids: next, anchor: id, base: next }
      }),
    [name],
  )
  const extendTo = (index: number) => {
    const to = items[index]
    if (to === undefined) return
    const from = items.findIndex(({ id }) => id === anchor)
    const [first, last] = from === -1 ? [index, index] : [Math.min(from, index), Math.max(from, index)]
    const range = items.slice(first, last + 1).map(({ id }) => id)
    const { anchor: start, base: before } = from === -1 ? { anchor: to.id, base: ids } : { anchor, base }
    setChosen({ name, ids: new Set([...before, ...range]), anchor: start, base: before })
  }
  const grid: GridSelection = {
    toggle: (index) => items[index] && toggle(items[index].id),
    extendTo,
    takesTaps: isTouch && selected.length > 0,
  }
  return {
    selected,
    isSelected: (id: number) => ids.has(id),
    toggle,
    clear: () => setChosen(nothing(name)),
    grid,
  }
}
