/** What the store's names are put together from. All of it is invented. */
const words = (text: string): readonly string[] => text.trim().split(/\s+/)

export const adjectives = words(`
  Amber Ashen Borrowed Brittle Burning Candid Careless Copper Crooked Distant Dusty Electric Empty Endless Faded Feral
  Fluent Frozen Gentle Golden Hollow Hidden Humble Idle Ivory Jagged Late Little Liquid Lonely Lucid Mellow Midnight
  Modest Molten Narrow Northern Odd Opal Paper Patient Plain Polar Quiet Restless Rusted Sacred Salted Scarlet Second
  Silent Silver Slender Solar Spare Steady Strange Sudden Sunken Tender Thirsty Tidal Unlit Unsent Velvet Violet Wandering
  Weathered Wild Winter Wooden Yonder`)

export const nouns = words(`
  Acre Anchor Antenna Apricot Archive Arrow Attic Avenue Balcony Ballast Beacon Bellows Bicycle Blossom Border Bridge
  Cabin Canary Canal Carousel Castle Cathedral Chimney Circuit Citadel Clover Coast Comet Compass Corridor Cradle Crane
  Current Delta Desert Echo Ember Engine Envelope Falcon Ferry Field Fountain Foxglove Garden Glacier Granite Harbour
  Harvest Hedge Heron Horizon Island Ivy Juniper Kettle Kingdom Ladder Lagoon Lantern Ledger Letter Lighthouse Lullaby
  Magnet Map Marble Meadow Mirror Monsoon Motel Mountain Needle Nightingale Notebook Orchard Otter Paperboat Parade
  Pavement Pebble Pendulum Piano Planet Plaza Postcard Prairie Quarry Radio Railway Rain Raven Ribbon River Rooftop Saddle
  Satellite Season Shadow Signal Sparrow Staircase Station Street Summer Sundial Swallow Telegraph Theatre Thistle Tide
  Timber Tower Train Tunnel Umbrella Valley Village Voyage Waltz Weather Whistle Willow Window`)

export const places = words(`
  Alder Birkfeld Calvora Dunmere Eastholm Fennick Galdby Havenport Isarra Jorund Kestrel Lorne Marisol Novara Orsova
  Pellworth Quillan Rosmar Selby Tarnow Ulmen Vessa Westerly Ysel`)

export const firstNames = words(`
  Ada Aino Alba Amadou Anneli Anselm Asha Bela Bruno Carla Chidi Cleo Dario Deniz Edda Elif Emre Esme Fabian Farah Freya
  Greta Hana Henrik Ida Imre Ines Ivo Jana Jonas Kaito Karin Lars Leila Lina Luca Maija Malik Mara Mateo Mina Nadia Nils
  Noor Olga Otis Pia Priya Quentin Rafael Runa Samir Sanna Signe Tariq Tessa Tomas Una Vera Wim Yara Yusuf Zoe`)

export const lastNames = words(`
  Abellan Adeyemi Almqvist Arslan Baranov Bergdal Castell Demir Eklund Falkner Ferrante Gallo Grau Haddad Halloran Hoshino
  Ibarra Jansson Kaplan Keller Kowal Laurent Lindqvist Mbeki Moreau Nakata Novotny Okafor Olsen Ortega Paredes Petrov
  Quist Rahimi Ramos Reuter Rinaldi Sandoval Santos Sorensen Tamura Toivonen Ulrich Varga Verhoeven Weiland Yilmaz Zeman`)

export const genres = [
  'Alternative',
  'Ambient',
  'Blues',
  'Bossa Nova',
  'Chamber',
  'Choral',
  'Classical',
  'Country',
  'Dance',
  'Dub',
  'Easy Listening',
  'Electronic',
  'Folk',
  'Funk',
  'Hip Hop',
  'Indie',
  'Jazz',
  'Latin',
  'Metal',
  'Opera',
  'Pop',
  'Reggae',
  'Rock',
  'Soul',
  'Soundtrack',
] as const

export const mediaTypes = [
  { name: 'MP3', lossless: false, kilobits: 256 },
  { name: 'AAC', lossless: false, kilobits: 192 },
  { name: 'FLAC', lossless: true, kilobits: 900 },
  { name: 'Opus', lossless: false, kilobits: 160 },
  { name: 'WAV', lossless: true, kilobits: 1411 },
] as const

/** Together 8,715 entries. */
export const playlists = [
  { name: 'Everything', tracks: 3503 },
  { name: 'Daytime Rotation', tracks: 1800 },
  { name: 'Evening Rotation', tracks: 1000 },
  { name: 'Shop Floor', tracks: 600 },
  { name: 'Long Drive', tracks: 400 },
  { name: 'Rainy Sunday', tracks: 300 },
  { name: 'Kitchen Loud', tracks: 250 },
  { name: 'Deep Focus', tracks: 200 },
  { name: 'Running, Slowly', tracks: 150 },
  { name: 'Covers We Like', tracks: 120 },
  { name: 'First Snow', tracks: 100 },
  { name: 'Quiet Hours', tracks: 80 },
  { name: 'Staff Picks', tracks: 60 },
  { name: 'New This Month', tracks: 50 },
  { name: 'Old Friends', tracks: 40 },
  { name: 'Late Train', tracks: 30 },
  { name: 'One Take', tracks: 20 },
  { name: 'Encore', tracks: 12 },
] as const

export const cities = [
  { city: 'Lisbon', country: 'Portugal' },
  { city: 'Porto', country: 'Portugal' },
  { city: 'Turin', country: 'Italy' },
  { city: 'Lyon', country: 'France' },
  { city: 'Nantes', country: 'France' },
  { city: 'Leipzig', country: 'Germany' },
  { city: 'Bremen', country: 'Germany' },
  { city: 'Graz', country: 'Austria' },
  { city: 'Ghent', country: 'Belgium' },
  { city: 'Utrecht', country: 'Netherlands' },
  { city: 'Aarhus', country: 'Denmark' },
  { city: 'Bergen', country: 'Norway' },
  { city: 'Uppsala', country: 'Sweden' },
  { city: 'Turku', country: 'Finland' },
  { city: 'Brno', country: 'Czechia' },
  { city: 'Gdansk', country: 'Poland' },
  { city: 'Cork', country: 'Ireland' },
  { city: 'Leeds', country: 'United Kingdom' },
  { city: 'Halifax', country: 'Canada' },
  { city: 'Portland', country: 'United States' },
  { city: 'Austin', country: 'United States' },
  { city: 'Recife', country: 'Brazil' },
  { city: 'Rosario', country: 'Argentina' },
  { city: 'Pune', country: 'India' },
  { city: 'Sendai', country: 'Japan' },
  { city: 'Perth', country: 'Australia' },
] as const

export const companies = [
  'Brightwater Films',
  'Cobalt & Sons',
  'Hillside Radio',
  'Nordlicht Studio',
  'Tramline Cafe',
] as const

export const staff = [
  { title: 'General Manager', reportsTo: null },
  { title: 'Sales Manager', reportsTo: 1 },
  { title: 'Sales Support', reportsTo: 2 },
  { title: 'Sales Support', reportsTo: 2 },
  { title: 'Sales Support', reportsTo: 2 },
  { title: 'Technical Manager', reportsTo: 1 },
  { title: 'Technician', reportsTo: 6 },
  { title: 'Technician', reportsTo: 6 },
] as const
