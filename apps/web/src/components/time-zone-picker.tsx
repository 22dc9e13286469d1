import { Command } from 'cmdk'
import { CheckIcon, ChevronDownIcon, SearchIcon } from 'lucide-react'
import { useState } from 'react'
import { Button } from './ui/button.tsx'
import { useFieldControl } from './ui/field.tsx'
import { Popover, PopoverContent, PopoverTrigger } from './ui/popover.tsx'

/** As many as one looks through. */
const SHOWN_MAX = 60
const BROWSER = 'browser'

export interface TimeZonePickerProps {
  /** An IANA name; null follows the browser. */
  value: string | null
  onChange: (timeZone: string | null) => void
  /** Offers to follow the browser. */
  allowBrowserZone?: boolean
}

/** The zone that the browser is set to. */
export function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Chooses one of the world's time zones by typing a part of its name. */
export function TimeZonePicker({ value, onChange, allowBrowserZone = false }: TimeZonePickerProps) {
  const control = useFieldControl()
  const [isOpen, setIsOpen] = useState(false)
  const [search, setSearch] = useState('')
  const choose = (zone: string | null) => {
    setIsOpen(false)
    setSearch('')
    if (zone !== value) onChange(zone)
  }
  const found = findZones(search)
  const browserLabel = `Browser’s zone (${browserTimeZone()})`
  return (
    <Popover open={isOpen} onOpenChange={setIsOpen} modal>
      <PopoverTrigger asChild>
        <Button variant="secondary" className="justify-between font-normal" {...control}>
          <span className="truncate">{value === null ? browserLabel : label(value)}</span>
          <ChevronDownIcon className="text-text-3" />
        </Button>
      </PopoverTrigger>
      <PopoverContent align="start" aria-label="Time zones" className="w-(--radix-popover-trigger-width) p-0">
        <Command shouldFilter={false} label="Time zones" defaultValue={value ?? BROWSER}>
          <div className="flex items-center gap-2 border-b border-line px-3">
            <SearchIcon className="size-4 shrink-0 text-text-3" />
            <Command.Input
              value={search}
              onValueChange={setSearch}
              placeholder="Search time zones"
              className="h-9 w-full bg-transparent text-sm outline-none pointer-coarse:h-11"
            />
          </div>
          <Command.List className="max-h-64 overflow-y-auto p-1">
            <Command.Empty className="px-2 py-6 text-center text-sm text-text-3">
              No such time zone
            </Command.Empty>
            {allowBrowserZone && search === '' && (
              <Zone
                name={BROWSER}
                text={browserLabel}
                isChosen={value === null}
                onChoose={() => choose(null)}
              />
            )}
            {found.map((zone) => (
              <Zone
                key={zone}
                name={zone}
                text={label(zone)}
                offset={offsetOf(zone)}
                isChosen={zone === value}
                onChoose={() => choose(zone)}
              />
            ))}
          </Command.List>
        </Command>
      </PopoverContent>
    </Popover>
  )
}

interface ZoneProps {
  name: string
  text: string
  offset?: string
  isChosen: boolean
  onChoose: () => void
}

function Zone({ name, text, offset, isChosen, onChoose }: ZoneProps) {
  return (
    <Command.Item
      value={name}
      onSelect={onChoose}
      className="flex min-h-8 cursor-default items-center gap-2 rounded-[6px] px-2 py-1 text-sm select-none aria-selected:bg-hover pointer-coarse:min-h-11"
    >
      <span className="min-w-0 flex-1 truncate">{text}</span>
      {isChosen && <CheckIcon className="size-4 shrink-0 text-accent-text" />}
      {offset && <span className="text-xs text-text-3">{offset}</span>}
    </Command.Item>
  )
}

/** `_` stands for a space. */
function label(zone: string): string {
  return zone.replaceAll('_', ' ')
}

function findZones(search: string): string[] {
  const wanted = search.trim().toLowerCase().replaceAll(' ', '_')
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
  return zones.filter((zone) => zone.toLowerCase().includes(wanted)).slice(0, SHOWN_MAX)
}

function offsetOf(zone: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' })
  return format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? ''
}
