import type { Theme } from '@catenary/contracts'
import { MonitorIcon, MoonIcon, SunIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { SettingsPanel } from '../../components/settings-panel.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../components/ui/segmented-control.tsx'
import { useTheme } from '../../lib/theme.ts'
import { useUpdateAccount } from './own-account.queries.ts'

const CHOICES = [
  { theme: 'system', label: 'System', Icon: MonitorIcon },
  { theme: 'light', label: 'Light', Icon: SunIcon },
  { theme: 'dark', label: 'Dark', Icon: MoonIcon },
] as const

/** Which theme; it shows at once and goes with the account. Below it what else there is to set. */
export function AppearancePanel({ children }: { children?: ReactNode }) {
  const [theme, setTheme] = useTheme()
  const update = useUpdateAccount()
  const choose = (next: Theme) => {
    setTheme(next)
    update.mutate({ theme: next })
  }
  return (
    <SettingsPanel title="Appearance" description="Other devices take it over when you log in there.">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h4 className="text-sm font-medium tracking-normal">Theme</h4>
        <SegmentedControl aria-label="Theme" value={theme} onValueChange={choose}>
          {CHOICES.map(({ theme, label, Icon }) => (
            <SegmentedControlItem key={theme} value={theme}>
              <Icon />
              {label}
            </SegmentedControlItem>
          ))}
        </SegmentedControl>
      </div>
      {children}
    </SettingsPanel>
  )
}
