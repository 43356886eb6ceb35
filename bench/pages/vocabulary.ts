const list = (text: string): readonly string[] => text.trim().split(/\s+/);

export const nouns = list(`
  harbour council budget engine market river school museum battery garden bridge festival orchard airline forecast
  station library concert tunnel election village factory reservoir coastline stadium hospital theatre railway island
  satellite archive kitchen workshop printer camera lantern jacket kettle blanket notebook speaker monitor keyboard
  backpack saddle compass mirror pillow drawer cabinet ledger invoice contract shipment warehouse pipeline schedule
  protocol parser buffer socket cursor cluster replica gateway token session request handler module package compiler
`);

export const words = list(`
  after with new over into early plan quiet steady rapid local public shared second longer modern hidden wooden silver
  northern careful record annual regional open narrow final brief minor major common weekly digital remote simple warm
  under review before winter across several towns while crews test repairs along the old route and visitors return for
  a first look at what changed since spring as costs fall but demand stays high near most large sites this year again
`);

export const verbs = list(`
  approves rejects expands delays restores opens closes considers reviews launches repairs doubles limits defends
  welcomes tracks revives measures rebuilds questions extends replaces
`);

export const cities = list(`
  Bergen Lisbon Nairobi Osaka Quito Tallinn Valencia Halifax Cusco Izmir Malmo Porto Gdansk Cork Hobart Leeds Accra
  Turku Basel Ghent Lyon Perth Salta Utrecht Varna Zadar
`);

export const givenNames = list(`
  Ada Bruno Carmen Dario Elif Farah Goran Hanna Ines Jonas Kofi Lena Marek Nadia Oskar Priya Rosa Stefan Tomas Uma Vera
  Wim Yara Zoe
`);

export const people = list(`
  Aalto Becker Castro Dahl Eriksen Ferrari Grant Horvat Ivanov Jansen Kovacs Lind Moreau Novak Okafor Pereira Quist
  Rossi Silva Tanaka Ullman Varga Weiss Yilmaz Zhou
`);
