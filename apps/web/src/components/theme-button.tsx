import { SunMoonIcon } from 'lucide-react'
import { chooseTheme } from '../lib/appearance/theme.ts'
import { Button } from './ui/button.tsx'

export function ThemeButton({ className }: { className?: string }) {
  return (
    <Button
      variant="ghost"
      size="icon"
      aria-label="Switch between light and dark"
      onClick={() => chooseTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark')}
      className={className}
    >
      <SunMoonIcon />
    </Button>
  )
}
