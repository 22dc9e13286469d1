import { type AskedFill, type Fill, type FindFillsRequest, foundFills } from '@catenary/contracts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'

export interface FillsFieldProps {
  reach: FindFillsRequest
  /** Null: what the texts hold when it is made. */
  value: readonly Fill[] | null
  onChange: (fills: Fill[]) => void
}

export function FillsField({ reach, value, onChange }: FillsFieldProps) {
  const { data } = useQuery(foundFillsQuery(reach))
  if (data === undefined || data.fills.length + data.own.length === 0) return null
  const { fills: asked, own } = data
  const allowed = value ?? asked
  const isAllowed = (one: Fill) => allowed.some((fill) => isSameFill(fill, one))
  const names = [...new Set([...own, ...asked.filter(isAllowed).map(({ name }) => name)])]
  return (
    <section aria-label="Private values" className="grid gap-2">
      <p className="text-sm text-text-2">
        {names.length === 0 ? 'Fills in none of your private variables' : fillsText(names)}
      </p>
      {asked.map((one) => (
        <label
          key={`${one.kind}.${one.id}.${one.name}`}
          className="flex min-h-6 items-center gap-2 text-sm pointer-coarse:min-h-11"
        >
          <input
            type="checkbox"
            checked={isAllowed(one)}
            onChange={({ target }) => {
              const others = allowed.filter((fill) => !isSameFill(fill, one))
              onChange([...others, ...(target.checked ? [one] : [])].map(toFill))
            }}
            className="size-4 shrink-0 accent-accent"
          />
          <span className="min-w-0 wrap-anywhere">
            {one.name} in “{one.title}” <span className="text-text-3">· {broughtBy(one)}</span>
          </span>
        </label>
      ))}
    </section>
  )
}

/** Such as `Fills in your private variables client, openai_key`. */
export const fillsText = (names: readonly string[]): string =>
  `Fills in your private ${names.length === 1 ? 'variable' : 'variables'} ${names.join(', ')}`

const broughtBy = ({ by }: AskedFill): string =>
  by === null ? 'It came with a copy.' : `${by} brought this name into the text.`

export const toFill = ({ kind, id, name }: Fill): Fill => ({ kind, id, name })

function isSameFill(one: Fill, other: Fill): boolean {
  return one.kind === other.kind && one.id === other.id && one.name === other.name
}

function foundFillsQuery(reach: FindFillsRequest) {
  return queryOptions({
    queryKey: ['fills', reach],
    queryFn: () => api('POST /api/private-names', { body: reach, reply: foundFills }),
    staleTime: 0,
  })
}
