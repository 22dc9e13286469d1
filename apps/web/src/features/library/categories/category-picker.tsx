import { NAME_MAX } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { PlusIcon } from 'lucide-react'
import { useState } from 'react'
import { InlineAddInput } from '../../../components/forms/inline-add.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '../../../components/ui/popover.tsx'
import {
  Select,
  SelectContent,
  SelectItem,
  SelectTrigger,
  SelectValue,
} from '../../../components/ui/select.tsx'
import { categoriesQuery } from './categories.queries.ts'
import { useAddCategory } from './use-add-category.ts'

export interface CategoryPickerProps {
  value: number | null
  onChange: (categoryId: number) => void
  onBlur?: () => void
}

export function CategoryPicker({ value, onChange, onBlur }: CategoryPickerProps) {
  const [isAdding, setIsAdding] = useState(false)
  const { data: categories = [] } = useQuery(categoriesQuery)
  const { addCategory, isPending } = useAddCategory((category) => {
    setIsAdding(false)
    onChange(category.id)
  })
  return (
    <div className="flex gap-1.5">
      <Select
        value={value === null ? '' : String(value)}
        onValueChange={(id) => id !== '' && onChange(Number(id))}
        onOpenChange={(open) => open || onBlur?.()}
      >
        <SelectTrigger>
          <SelectValue placeholder="Select a category" />
        </SelectTrigger>
        <SelectContent>
          {categories.map(({ id, name }) => (
            <SelectItem key={id} value={String(id)} data-category-id={id}>
              {name}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
      <Popover open={isAdding} onOpenChange={setIsAdding}>
        <PopoverTrigger asChild>
          <Button variant="secondary" size="icon" aria-label="Add Category" className="w-[38px]">
            <PlusIcon />
          </Button>
        </PopoverTrigger>
        <PopoverContent align="end" className="w-60 px-1 py-0.5" aria-label="Add Category">
          <InlineAddInput
            label="New category"
            maxLength={NAME_MAX}
            pending={isPending}
            onSubmit={addCategory}
            onClose={() => setIsAdding(false)}
          />
        </PopoverContent>
      </Popover>
    </div>
  )
}
