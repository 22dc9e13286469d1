import type { Theme } from '@catenary/contracts'
import { MonitorIcon, MoonIcon, Rows2Icon, Rows4Icon, SunIcon } from 'lucide-react'
import { SettingsPanel } from '../../components/settings-panel.tsx'
import { ShortcutSwitch } from '../../components/shortcut-switch.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../components/ui/segmented-control.tsx'
import { useDensity } from '../../lib/appearance/density.ts'
import { useTheme } from '../../lib/appearance/theme.ts'
import { useUpdateAccount } from './own-account.queries.ts'

const CHOICES = [
  { theme: 'system', label: 'System', Icon: MonitorIcon },
  { theme: 'light', label: 'Light', Icon: SunIcon },
  { theme: 'dark', label: 'Dark', Icon: MoonIcon },
] as const

const DENSITIES = [
  { density: 'comfortable', label: 'Comfortable', Icon: Rows2Icon },
  { density: 'compact', label: 'Compact', Icon: Rows4Icon },
] as const

/** Theme, density and keys; they count at once, the theme is stored with the account. */
export default function AppearancePanel() {
  const [theme, setTheme] = useTheme()
  const [density, setDensity] = useDensity()
  const update = useUpdateAccount()
  const choose = (next: Theme) => {
    setTheme(next)
    update.mutate({ theme: next })
  }
  return (
    <SettingsPanel title="Appearance" description="Your theme also applies on other devices when you log in.">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-sm font-medium tracking-normal">Theme</h2>
        <SegmentedControl aria-label="Theme" value={theme} onValueChange={choose}>
          {CHOICES.map(({ theme, label, Icon }) => (
            <SegmentedControlItem key={theme} value={theme}>
              <Icon />
              {label}
            </SegmentedControlItem>
          ))}
        </SegmentedControl>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3 pointer-coarse:hidden">
        <div className="grid gap-0.5">
          <h2 className="text-sm font-medium tracking-normal">Density</h2>
          <p className="text-xs text-text-3">For lists, cards and tables on this device.</p>
        </div>
        <SegmentedControl aria-label="Density" value={density} onValueChange={setDensity}>
          {DENSITIES.map(({ density, label, Icon }) => (
            <SegmentedControlItem key={density} value={density}>
              <Icon />
              {label}
            </SegmentedControlItem>
          ))}
        </SegmentedControl>
      </div>
      <ShortcutSwitch />
    </SettingsPanel>
  )
}
