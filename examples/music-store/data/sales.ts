import { day, type Track } from './catalogue.ts'
import { distinct, type Random, unused } from './random.ts'
import { cities, companies, firstNames, lastNames, staff } from './words.ts'

type Row = Readonly<Record<string, unknown>>

const CUSTOMERS = 59
/** How many tracks are on each of a customer's invoices: 38 on 7. */
const LINES = [2, 4, 6, 9, 14, 1, 2]

/** employee, customer, invoice and invoice_line, in an order that foreign keys allow. */
export function makeSales(random: Random, tracks: readonly Track[]) {
  const taken = new Set<string>()
  const employee = staff.map(({ title, reportsTo }, index) => ({
    id: index + 1,
    ...person(random, taken),
    title,
    reports_to: reportsTo,
    born_on: day(random, 1965, 1999),
    hired_on: day(random, 2018, 2020),
  }))
  const support = employee.filter(({ title }) => title === 'Sales Support').map(({ id }) => id)
  const customer = Array.from({ length: CUSTOMERS }, (_, index) => ({
    id: index + 1,
    ...person(random, taken),
    company: random.chance(0.15) ? random.pick(companies) : null,
    ...random.pick(cities),
    support_rep_id: random.pick(support),
    created_at: `${day(random, 2020, 2020)}T09:00:00Z`,
  }))
  return { employee, customer, ...makeInvoices(random, customer, tracks) }
}

function person(random: Random, taken: Set<string>) {
  const name = unused(taken, () => `${random.pick(firstNames)} ${random.pick(lastNames)}`)
  const [first_name = '', last_name = ''] = name.split(' ')
  return { first_name, last_name, email: `${first_name}.${last_name}@example.org`.toLowerCase() }
}

type Customer = { readonly id: number; readonly city: string; readonly country: string }

function makeInvoices(random: Random, customers: readonly Customer[], tracks: readonly Track[]) {
  const dated = customers
    // the last customer has not bought again yet: 412 invoices with 2,240 lines
    .flatMap((customer) => (customer.id === CUSTOMERS ? LINES.slice(1) : LINES).map((lines) => ({ customer, lines })))
    .map((purchase) => ({ ...purchase, at: `${day(random, 2021, 2025)}T${moment(random)}Z` }))
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.customer.id - b.customer.id))
  const invoice: Row[] = []
  const invoice_line: Row[] = []
  for (const { customer, lines, at } of dated) {
    const id = invoice.length + 1
    let cents = 0
    for (const track_id of distinct(random, lines, tracks.length)) {
      const unit_price = tracks[track_id - 1]?.unit_price ?? '0.99'
      cents += Math.round(Number(unit_price) * 100)
      invoice_line.push({ id: invoice_line.length + 1, invoice_id: id, track_id, unit_price, quantity: 1 })
    }
    invoice.push({
      id,
      customer_id: customer.id,
      invoiced_at: at,
      billing_city: customer.city,
      billing_country: customer.country,
      total: (cents / 100).toFixed(2),
    })
  }
  return { invoice, invoice_line }
}

function moment(random: Random): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(random.between(8, 21))}:${two(random.below(60))}:${two(random.below(60))}`
}
